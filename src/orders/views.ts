import { encode } from 'uqr';
import type { AdminOrder, OrderView } from '#validators/orders';
import { isOversold, type Order } from './order.js';

/** An order as a visitor sees it. Times are ISO 8601. */
export type { OrderView } from '#validators/orders';

export function orderView(order: Order): OrderView {
  const { qrToken } = order;
  return { ...factsOf(order), qrImage: qrToken === null ? null : qrImage(qrToken) };
}

/** Returns a text that differs for two versions of an order if the customer sees a difference. */
export function versionOf(order: Order): string {
  return JSON.stringify(factsOf(order));
}

/** The people who see an order of the shop. */
export interface Audience {
  /** False on an admin page that is open to everyone, which shows nothing about the customers. */
  readonly isPrivate: boolean;
}

/** Returns an order as the shop sees it. Codes that can no longer be paid are not drawn, because lists are long. */
export function adminOrderView(order: Order, { isPrivate }: Audience): AdminOrder {
  const { paymentId, endedAt, status } = order;
  const shown = status === 'pending' ? orderView(order) : { ...factsOf(order), qrImage: null };
  const { contact = null, note } = order;
  const { address } = order.fulfillment;
  return {
    ...shown,
    oversold: isOversold(order),
    paymentId,
    endedAt: timeText(endedAt),
    ...(isPrivate ? { contact, note, fulfillment: { ...shown.fulfillment, address } } : {}),
  };
}

function factsOf(order: Order): Omit<OrderView, 'qrImage'> {
  const { id, number, items, deliveryPrice, amount, status, qrToken, expiresAt } = order;
  const { createdAt, changedAt, corrected } = order;
  const { method, requestedFor, status: step } = order.fulfillment;
  const [first] = items;
  if (!first) throw new Error(`The order ${id} has no items.`);
  const { productId, name, quantity } = first;
  return {
    ...{ id, number, items, productId, name, quantity, deliveryPrice, amount, status, qrToken },
    expiresAt: timeText(expiresAt),
    createdAt: new Date(createdAt).toISOString(),
    changedAt: new Date(changedAt).toISOString(),
    fulfillment: { method, requestedFor: timeText(requestedFor), status: step },
    ...(corrected ? { corrected: { ...corrected, at: new Date(corrected.at).toISOString() } } : {}),
  };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** White squares around a code: ISO/IEC 18004 requires four. */
const quiet = 4;

/**
 * Returns a QR code as the URL of a picture (`data:image/svg+xml,…`): black on white on any background, one unit a
 * square, sharp at every size.
 */
export function qrImage(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: quiet });
  const path = data.map((row, y) => runsOf(row, y)).join('');
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${size} ${size}' shape-rendering='crispEdges'>` +
    `<path fill='#fff' d='M0 0h${size}v${size}H0z'/><path d='${path}'/></svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>#% ]/g, encodeURIComponent)}`;
}

/** Returns the path of a row's black squares, with one rectangle for each run. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = '';
  for (let start = 0; start < row.length; start += 1) {
    if (!row[start]) continue;
    let end = start;
    while (row[end]) end += 1;
    path += `M${start},${y}h${end - start}v1H${start}z`;
    start = end;
  }
  return path;
}
