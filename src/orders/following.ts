import { isSameAmount } from './amount.js';
import { isOver, type Order, type OrderStatus } from './order.js';

/** The facts of a payment that its order follows. Times are milliseconds since the epoch, amounts tenge. */
export interface FollowedPayment {
  readonly id: string;
  readonly type: string;
  /** `open`: still polled; `ended`: has an outcome; `unknown`: given up on without an outcome. */
  readonly state: 'open' | 'ended' | 'unknown';
  readonly outcome?: 'success' | 'failed' | 'expired' | undefined;
  readonly organizationId: number;
  readonly amount: number;
  readonly qrToken: string | null;
  readonly expiresAt: number | null;
  readonly reference?: string | undefined;
}

/** The facts of a call to create a payment that its order follows. */
export interface FollowedIntent {
  readonly kind: string;
  readonly organizationId: number;
  readonly amount: number;
  readonly key: string;
  /** `abandoned`: unknown if a code was created, and no client received one. */
  readonly state: string;
  readonly reference?: string | undefined;
}

/** Returns the idempotency key for the payment of an order, which is the same for every request. */
export function paymentKeyOf({ id }: Pick<Order, 'id'>): string {
  return `order-${id}`;
}

/**
 * Returns the order updated by what is now known of a payment that names it; undefined if nothing changes. Cashiers
 * choose what a payment names, so a payment that does not fit the order is ignored.
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

/** Corrects an order that was given up on before its payment was known, once the payment has succeeded. */
function followLate(order: Order, payment: FollowedPayment, now: number): Order | undefined {
  if (order.paymentId !== null || payment.outcome !== 'success') return undefined;
  return withCorrection({ ...order, paymentId: payment.id }, 'paid', now);
}

/** A changed outcome of a payment that has ended; undefined if the payment does not count. */
export interface Correction {
  readonly outcome: FollowedPayment['outcome'];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the order marked with the new outcome of its payment; undefined if nothing changes. The order keeps its
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
  return known === status ? undefined : { ...order, changedAt: at, corrected: { status, at } };
}

/** Returns the order after its request was closed as never made; undefined if nothing changes. */
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

/** Returns the order with a status. It keeps its rate-limit bucket only while its payment is open. */
function withStatus(order: Order, status: OrderStatus, now: number): Order {
  const { countedAs, ...kept } = order;
  const isCounted = status === 'pending' && countedAs !== undefined;
  return {
    ...kept,
    status,
    changedAt: now,
    endedAt: isOver({ status }) ? now : null,
    ...(isCounted ? { countedAs } : {}),
  };
}
