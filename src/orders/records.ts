import { Order as isOrder, Stock as isStock } from '#validators/order-records';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';
import { dayText, type Order, type Stock } from './order.js';

/** What orders put into an export, in this order. What keys stand for is told by the orders. */
export function orderKinds(): readonly RecordKind[] {
  return [
    { name: 'order', check: checkBy(isOrder, faultOfOrder, rising(compareOrders)) },
    { name: 'stock', check: checkBy(isStock, faultOfStock, rising(compareStock)) },
  ];
}

/** What is not over comes first; the rest by the day of its making; then by id. */
function compareOrders(a: Order, b: Order): number {
  const [one, other] = [placeOfOrder(a), placeOfOrder(b)];
  const states = statesInOrder.indexOf(one.state) - statesInOrder.indexOf(other.state);
  const days = one.state === 'ended' ? compareTexts(one.day, other.day) : 0;
  return states || days || compareTexts(a.id, b.id);
}

/** What is not counted needs no record. */
function faultOfStock({ left }: Stock): string | undefined {
  return left === null ? 'must have a count' : undefined;
}

function compareStock(a: Stock, b: Stock): number {
  return a.productId - b.productId;
}

/** How an order is kept: with all that may still change, or with those that never do. */
export type OrderState = 'open' | 'ended';

/** States in the order of exports. */
const statesInOrder: readonly OrderState[] = ['open', 'ended'];

/** What the schema of an order cannot say, or undefined. */
export function faultOfOrder(order: Order): string | undefined {
  const isEnded = order.endedAt !== null;
  const isOver = order.status !== 'pending' && order.status !== 'unknown';
  if (isEnded !== isOver) return `is ${order.status} ${isEnded ? 'and' : 'but not'} ended`;
  if (order.status === 'pending' && order.paymentId === null) return 'is pending without a payment';
  if (order.oversold && order.status !== 'paid') return 'is oversold but not paid';
  if (order.corrected && !isOver) return 'is corrected but has not ended';
  return undefined;
}

/** Where an order is kept, and the (UTC) day under which it is kept once it is over: that of its making. */
export function placeOfOrder(order: Order): { readonly state: OrderState; readonly day: string } {
  return { state: order.endedAt === null ? 'open' : 'ended', day: dayText(order.createdAt) };
}
