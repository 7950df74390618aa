import type { Order, Stock } from '#validators/order-records';
import type { Clock } from '../base/clock.js';
import type { RateLimitRule } from '../base/rate-limit.js';
import { compareTexts } from '../base/records.js';
import { hasExpired } from '../base/running-time.js';

/** An order and the stock of a product, as they are stored. Times are milliseconds since the epoch, amounts tenge. */
export type { Order, Stock } from '#validators/order-records';

/** A product of an order, as it was when it was ordered. */
export type OrderItem = Order['items'][number];

/** A product, or a variant of it, and how many pieces of it an order is for. */
export type OrderedItem = Pick<OrderItem, 'productId' | 'variantId' | 'quantity'>;

/** The status of an order. */
export type OrderStatus = Order['status'];

/** Pieces of a product that are left; null if they are not counted. */
export type Left = Stock['left'];

/** Unpaid orders from one address: each one costs a payment at the provider. */
export const orderRule: RateLimitRule = { name: 'orders', amount: 10, periodSeconds: 3_600 };

/** Milliseconds for which a key identifies its order, by the wall clock and by running time. */
export const keyLife = 24 * 3_600_000;

/** Returns true if the key of an order still identifies it. */
export function isKeyAlive(
  { createdAt: at, ranAt }: Pick<Order, 'createdAt' | 'ranAt'>,
  clock: Pick<Clock, 'now' | 'ranFor'>,
): boolean {
  return !hasExpired({ at, ranAt }, keyLife, clock);
}

/** Returns true if an order has details of its customer that only the shop sees. */
export function hasDetails({ contact, fulfillment, note }: Order): boolean {
  return contact !== undefined || fulfillment.address !== null || note !== '';
}

/** Returns true if fewer pieces of an item than ordered were left when the order was paid. */
export function isOversold({ items }: Pick<Order, 'items'>): boolean {
  return items.some(({ oversold }) => oversold);
}

const idPattern = /^[A-Za-z0-9_-]{22}$/;

/** Returns true if a text has the form of an order ID. */
export function isOrderId(text: string): boolean {
  return idPattern.test(text);
}

/** Returns true if an order never changes again. An `unknown` one changes once its payment is clear. */
export function isOver({ status }: Pick<Order, 'status'>): boolean {
  return status === 'paid' || status === 'failed' || status === 'expired';
}

/** Returns true if the customer's view of an order does not change any more, as far as the shop is concerned. */
export function isClosed({ status, fulfillment }: Pick<Order, 'status' | 'fulfillment'>): boolean {
  if (status !== 'paid') return isOver({ status });
  return fulfillment.status === 'completed' || fulfillment.status === 'cancelled';
}

/** Returns true if the provider may still have to be asked for the payment of an order. */
export function isUnmade({ status, paymentId }: Pick<Order, 'status' | 'paymentId'>): boolean {
  return status === 'unknown' && paymentId === null;
}

/** Compares orders for lists: newest first; at the same time, the highest ID first. */
export function compareNewestFirst(
  a: Pick<Order, 'id' | 'createdAt'>,
  b: Pick<Order, 'id' | 'createdAt'>,
): number {
  return b.createdAt - a.createdAt || compareTexts(b.id, a.id);
}

/** Returns the UTC day of a time in milliseconds: `2026-07-28`. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
