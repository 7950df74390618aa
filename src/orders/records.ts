import { Order as isOrder, Stock as isStock } from '#validators/order-records';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';
import { isSameAmount, sumOf } from './amount.js';
import { dayText, isOversold, type Order, type Stock } from './order.js';

/**
 * Returns the kinds of record in an export of orders, in its order. The orders themselves say which keys identify them.
 */
export function orderKinds(): readonly RecordKind[] {
  return [
    { name: 'order', check: checkBy(isOrder, faultOfOrder, rising(compareOrders)) },
    { name: 'stock', check: checkBy(isStock, faultOfStock, rising(compareStock)) },
  ];
}

/** Compares orders for exports: open ones first; the rest by the day of their creation; then by ID. */
function compareOrders(a: Order, b: Order): number {
  const [one, other] = [placeOfOrder(a), placeOfOrder(b)];
  const states = statesInOrder.indexOf(one.state) - statesInOrder.indexOf(other.state);
  const days = one.state === 'ended' ? compareTexts(one.day, other.day) : 0;
  return states || days || compareTexts(a.id, b.id);
}

/** A product that is not counted has no record. */
function faultOfStock({ left }: Stock): string | undefined {
  return left === null ? 'must have a count' : undefined;
}

function compareStock(a: Stock, b: Stock): number {
  return a.productId - b.productId;
}

/** The part of the store that has an order: the open ones, or those that never change again. */
export type OrderState = 'open' | 'ended';

/** The states in the order of exports. */
const statesInOrder: readonly OrderState[] = ['open', 'ended'];

/** Returns an error that the schema of an order cannot express, or undefined. */
export function faultOfOrder(order: Order): string | undefined {
  const isEnded = order.endedAt !== null;
  const isOver = order.status !== 'pending' && order.status !== 'unknown';
  if (isEnded !== isOver) return `is ${order.status} ${isEnded ? 'and' : 'but not'} ended`;
  if (order.status === 'pending' && order.paymentId === null) return 'is pending without a payment';
  if (isOversold(order) && order.status !== 'paid') return 'is oversold but not paid';
  const parts = [...order.items.map(({ amount }) => amount), order.deliveryPrice];
  if (!isSameAmount(sumOf(parts) ?? 0, order.amount))
    return 'has an amount that is not the sum of its items and the delivery';
  if (order.corrected && !isOver) return 'is corrected but has not ended';
  return undefined;
}

/** Returns the state under which an order is stored, and the UTC day of its creation. */
export function placeOfOrder(order: Order): { readonly state: OrderState; readonly day: string } {
  return { state: order.endedAt === null ? 'open' : 'ended', day: dayText(order.createdAt) };
}
