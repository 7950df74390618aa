/** How an order stands. */
export type OrderStatus = 'pending' | 'paid' | 'failed' | 'expired' | 'unknown';

/** What pages show of an order: what every visitor who knows its id may see. */
export interface ShownOrder {
  readonly id: string;
  readonly productId: number;
  readonly name: string;
  readonly quantity: number;
  /** Tenge. */
  readonly amount: number;
  readonly status: OrderStatus;
  /** What the code says: where it is a link, the bank's app opens on it. */
  readonly qrToken: string | null;
  /** Address of the code as a picture. */
  readonly qrImage: string | null;
  /** ISO 8601. */
  readonly expiresAt: string | null;
}

/** Whether the order may still change: then the page goes on asking. */
export function isOpen({ status }: Pick<ShownOrder, 'status'>): boolean {
  return status === 'pending' || status === 'unknown';
}

/** How people name an order: the beginning of its id. */
export function orderNumber({ id }: Pick<ShownOrder, 'id'>): string {
  return id.slice(0, 8);
}
