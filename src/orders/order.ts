import type { Order, Stock } from '#validators/order-records';
import type { Clock } from '../base/clock.js';
import type { RateLimitRule } from '../base/rate-limit.js';
import { compareTexts } from '../base/records.js';
import { hasExpired } from '../base/running-time.js';

/** Something that a visitor buys, as it is stored. Times are milliseconds since the epoch, amounts tenge. */
export type { Order, Stock } from '#validators/order-records';

/** What every visitor may know of how an order stands. */
export type OrderStatus = Order['status'];

/** How many pieces of a product are left; null where they are not counted. */
export type Left = Stock['left'];

/** Unpaid orders from one address: each costs a payment at the provider. */
export const orderRule: RateLimitRule = { name: 'orders', amount: 10, periodSeconds: 3_600 };

/** Milliseconds for which a key identifies its order, by the wall clock and by running time. */
export const keyLife = 24 * 3_600_000;

/** Whether the key of an order still stands for it. */
export function isKeyAlive(
  { createdAt: at, ranAt }: Pick<Order, 'createdAt' | 'ranAt'>,
  clock: Pick<Clock, 'now' | 'ranFor'>,
): boolean {
  return !hasExpired({ at, ranAt }, keyLife, clock);
}

const idPattern = /^[A-Za-z0-9_-]{22}$/;

/** Whether a text can be an order's id. */
export function isOrderId(text: string): boolean {
  return idPattern.test(text);
}

/** Whether an order never changes again: `unknown` does, once it becomes clear. */
export function isOver({ status }: Pick<Order, 'status'>): boolean {
  return status === 'paid' || status === 'failed' || status === 'expired';
}

/** Whether the provider may still have to be asked for the payment of an order. */
export function isUnmade({ status, paymentId }: Pick<Order, 'status' | 'paymentId'>): boolean {
  return status === 'unknown' && paymentId === null;
}

/** The order of lists: newest first; among those of one moment the highest id first. */
export function compareNewestFirst(
  a: Pick<Order, 'id' | 'createdAt'>,
  b: Pick<Order, 'id' | 'createdAt'>,
): number {
  return b.createdAt - a.createdAt || compareTexts(b.id, a.id);
}

/** The UTC day of a time in milliseconds, `2026-07-28`. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
