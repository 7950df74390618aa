import type { Payment } from '#validators/payment-records';
import { AppError } from '../base/errors.js';
import { compareTexts } from '../base/records.js';
import type { CreatedFacts, PaymentFacts } from './providers/provider-answer.js';
import { parseProviderTime } from './zoned-time.js';

/** A payment made through this gateway. Times are milliseconds since the epoch. */
export type { Payment } from '#validators/payment-records';

/** The two kinds of payment the gateway makes and watches. */
export type PaymentType = Payment['type'];

/** `open` is watched, `ended` has an outcome, `unknown` was given up on without one. */
export type PaymentState = Payment['state'];

/** How a payment has ended. */
export type Outcome = NonNullable<Payment['outcome']>;

/** What the gateway itself knows of a payment that it has had made. */
type Origin = Pick<
  Payment,
  | 'type'
  | 'organizationId'
  | 'sessionId'
  | 'amount'
  | 'clientPhone'
  | 'createdAt'
  | 'profileId'
  | 'cashier'
  | 'intentId'
  | 'reference'
  | 'sandbox'
>;

/** The record of a payment that the provider has just made; `zone` is that of dates without one. */
export function newPayment(origin: Origin, facts: CreatedFacts, zone: string): Payment {
  const { type, organizationId, sessionId, amount, createdAt, ...more } = origin;
  const { id, otherId, status, statusDesc, qrToken, receiptUrl, orderNumber, expireDate } = facts;
  return {
    id,
    ...(otherId === null ? {} : { otherId }),
    type,
    state: 'open',
    organizationId,
    sessionId,
    amount,
    status,
    statusDesc,
    qrToken,
    receiptUrl,
    orderNumber,
    ...more,
    expiresAt: parseProviderTime(expireDate ?? '', zone) ?? null,
    createdAt,
  };
}

/** The payment with what a poll has shown. */
export function withFacts(payment: Payment, facts: PaymentFacts): Payment {
  const { status, statusDesc, receiptUrl, orderNumber } = facts;
  const { failingSince, failingFor, ...kept } = payment;
  const otherId = payment.otherId ?? facts.otherId;
  return {
    ...kept,
    ...(otherId === null ? {} : { otherId }),
    status,
    statusDesc,
    receiptUrl: receiptUrl ?? payment.receiptUrl,
    orderNumber: orderNumber ?? payment.orderNumber,
  };
}

/** What names a payment: providers number operations for each organization and type by themselves. */
export type PaymentName = Pick<Payment, 'organizationId' | 'type' | 'id'>;

/** Names a payment among all, in file names and keys: `17-qr-1001`. */
export function paymentKey({ organizationId, type, id }: PaymentName): string {
  return `${organizationId}-${type}-${id}`;
}

const keyPattern = /^(-?\d+)-(qr|invoice)-(\d+)$/;

/** Whether a text is a key of a payment: a file in a folder may have any name. */
export function isPaymentKey(text: string): boolean {
  return keyPattern.test(text);
}

/** What a payment's key was made from. */
export function nameOfPayment(key: string): PaymentName {
  const [, organization, type, id] = keyPattern.exec(key) ?? [];
  if (id === undefined) throw new Error(`${key} is no key of a payment.`);
  return { organizationId: Number(organization), type: type === 'qr' ? 'qr' : 'invoice', id };
}

/** Where a payment stands in lists that are sorted newest first; pages go on behind it. */
export function cursorOf({ createdAt, ...name }: PaymentName & Pick<Payment, 'createdAt'>): string {
  return `${createdAt}-${paymentKey(name)}`;
}

/** What a payment is sorted by in lists. */
export interface PaymentPosition {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly key: string;
}

/** What a cursor was made from; `validation_failed` where it is none. */
export function positionOf(cursor: string): PaymentPosition {
  const [, time, key] = /^(\d{1,16})-(-?\d{1,16}-(?:qr|invoice)-\d{1,30})$/.exec(cursor) ?? [];
  if (time !== undefined && key !== undefined) return { createdAt: Number(time), key };
  throw new AppError('validation_failed', 'The cursor is not one of a list of payments.', {
    details: [{ path: '/after', message: 'must be the cursor of a payment, as a list gives it' }],
  });
}

/** The order of lists: newest first; among those of one moment the highest key first. */
export function compareNewestFirst(a: PaymentPosition, b: PaymentPosition): number {
  return b.createdAt - a.createdAt || compareTexts(b.key, a.key);
}

/** Payments in the order of lists. */
export function newestFirst(payments: readonly Payment[]): Payment[] {
  const positionOfOne = (payment: Payment) => ({ ...payment, key: paymentKey(payment) });
  return [...payments].sort((a, b) => compareNewestFirst(positionOfOne(a), positionOfOne(b)));
}

/** Gathers the newest of a list that comes in no order. */
export type NewestGatherer<Row extends PaymentPosition> = ReturnType<typeof gatherNewest<Row>>;

/**
 * The first `size` rows behind `after` of those that it is given, newest first. Each key is there once, as it was
 * given last. It holds twice as many at most, however many there are.
 */
export function gatherNewest<Row extends PaymentPosition>(
  size: number,
  after: PaymentPosition | undefined,
) {
  let rows: Row[] = [];

  function sort(): void {
    const once = new Map(rows.map((row) => [row.key, row]));
    rows = [...once.values()].sort(compareNewestFirst).slice(0, size);
  }

  return {
    add(row: Row): void {
      if (after && compareNewestFirst(row, after) <= 0) return;
      if (rows.push(row) >= 2 * size) sort();
    },
    /** Whether there are as many as wanted, all of which were created at this time or later. */
    isFullFrom(time: number): boolean {
      sort();
      const last = rows.at(-1);
      return rows.length === size && last !== undefined && last.createdAt >= time;
    },
    sorted(): readonly Row[] {
      sort();
      return rows;
    },
  };
}
