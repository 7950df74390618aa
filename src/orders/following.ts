import { isSameAmount } from './amount.js';
import { isOver, type Order, type OrderStatus } from './order.js';

/** What an order has to know of a payment. Times are milliseconds since the epoch, amounts tenge. */
export interface FollowedPayment {
  readonly id: string;
  readonly type: string;
  /** `open` is watched, `ended` has an outcome, `unknown` was given up on without one. */
  readonly state: 'open' | 'ended' | 'unknown';
  readonly outcome?: 'success' | 'failed' | 'expired' | undefined;
  readonly organizationId: number;
  readonly amount: number;
  readonly qrToken: string | null;
  readonly expiresAt: number | null;
  readonly reference?: string | undefined;
}

/** What an order has to know of a call that was to make a payment. */
export interface FollowedIntent {
  readonly kind: string;
  readonly organizationId: number;
  readonly amount: number;
  readonly key: string;
  /** `abandoned`: it is not known whether a code was made, and no client received one. */
  readonly state: string;
  readonly reference?: string | undefined;
}

/** The key under which the payment of an order is made, whoever asks for it and however often. */
export function paymentKeyOf({ id }: Pick<Order, 'id'>): string {
  return `order-${id}`;
}

/**
 * The order as it is once this is known of a payment that names it; undefined where that changes nothing. What a
 * payment names is up to the cashier who makes it, so only one that fits is followed.
 */
export function followPayment(
  order: Order,
  payment: FollowedPayment,
  now: number,
): Order | undefined {
  if (!isPaymentOf(order, payment)) return undefined;
  if (isOver(order)) return followLate(order, payment, now);
  const { id: paymentId, qrToken, expiresAt } = payment;
  const followed = withStatus({ ...order, paymentId, qrToken, expiresAt }, statusOf(payment), now);
  return followed.status === order.status && order.paymentId !== null ? undefined : followed;
}

/** Corrects an order that was given up before its payment was known, once the payment has succeeded. */
function followLate(order: Order, payment: FollowedPayment, now: number): Order | undefined {
  if (order.paymentId !== null || payment.outcome !== 'success') return undefined;
  return withCorrection({ ...order, paymentId: payment.id }, 'paid', now);
}

/** A changed outcome of a payment that has ended; without an outcome if it does not count. */
export interface Correction {
  readonly outcome: FollowedPayment['outcome'];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the order marked with the new outcome of its payment; undefined if that changes nothing. The order keeps its
 * status, because a person decides what the correction means for the goods.
 */
export function followCorrection(
  order: Order,
  payment: FollowedPayment,
  { outcome, now }: Correction,
): Order | undefined {
  if (!isOver(order) || order.paymentId === null || !isPaymentOf(order, payment)) return undefined;
  return withCorrection(order, outcome === undefined ? 'unknown' : statuses[outcome], now);
}

type CorrectedStatus = NonNullable<Order['corrected']>['status'];

function withCorrection(order: Order, status: CorrectedStatus, at: number): Order | undefined {
  const known = order.corrected?.status ?? order.status;
  return known === status ? undefined : { ...order, corrected: { status, at } };
}

/** Returns the order after its request was closed as never made; undefined if that changes nothing. */
export function followNotMade(
  order: Order,
  intent: FollowedIntent,
  now: number,
): Order | undefined {
  const isItsOwn =
    intent.kind === 'qr' &&
    intent.key === paymentKeyOf(order) &&
    intent.organizationId === order.organizationId;
  if (!isItsOwn || order.status !== 'unknown' || order.paymentId !== null) return undefined;
  return withStatus(order, intent.state === 'abandoned' ? 'expired' : 'failed', now);
}

function isPaymentOf(order: Order, { id, type, organizationId, amount }: FollowedPayment): boolean {
  return (
    type === 'qr' &&
    organizationId === order.organizationId &&
    isSameAmount(amount, order.amount) &&
    (order.paymentId === null || order.paymentId === id)
  );
}

const statuses = { success: 'paid', failed: 'failed', expired: 'expired' } as const;

function statusOf({ state, outcome }: FollowedPayment): OrderStatus {
  if (state === 'open') return 'pending';
  return outcome === undefined ? 'unknown' : statuses[outcome];
}

/** The order's bucket under the limit is remembered only while its payment is open. */
function withStatus(order: Order, status: OrderStatus, now: number): Order {
  const { countedAs, ...kept } = order;
  const isCounted = status === 'pending' && countedAs !== undefined;
  return {
    ...kept,
    status,
    endedAt: isOver({ status }) ? now : null,
    ...(isCounted ? { countedAs } : {}),
  };
}
