import type { OrderView } from '#validators/orders';

export type OrderStatus = OrderView['status'];

/** The details of an order that pages show to every visitor who knows its ID. */
export type ShownOrder = Omit<OrderView, 'createdAt' | 'corrected'>;

/** Returns true if the order may still change; the page polls it until then. */
export function isOpen({ status }: Pick<ShownOrder, 'status'>): boolean {
  return status === 'pending' || status === 'unknown';
}
