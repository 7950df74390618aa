import type { AdminOrder, OrderView } from '#validators/orders';
import type { Order } from './order.js';
import { qrImage } from './qr-image.js';

/** What a visitor sees of an order. Times are ISO 8601. */
export type { OrderView } from '#validators/orders';

export function orderView(order: Order): OrderView {
  const { qrToken } = order;
  return { ...factsOf(order), qrImage: qrToken === null ? null : qrImage(qrToken) };
}

/** What the shop sees of it. Codes that nobody can pay any more are not drawn: lists are long. */
export function adminOrderView(order: Order): AdminOrder {
  const { oversold, paymentId, endedAt, status } = order;
  const shown = status === 'pending' ? orderView(order) : { ...factsOf(order), qrImage: null };
  return { ...shown, oversold, paymentId, endedAt: timeText(endedAt) };
}

function factsOf(order: Order): Omit<OrderView, 'qrImage'> {
  const { id, productId, name, quantity, amount, status, qrToken, expiresAt, createdAt } = order;
  const { corrected } = order;
  return {
    ...{ id, productId, name, quantity, amount, status, qrToken },
    expiresAt: timeText(expiresAt),
    createdAt: new Date(createdAt).toISOString(),
    ...(corrected ? { corrected: { ...corrected, at: new Date(corrected.at).toISOString() } } : {}),
  };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
