import type { Intent, Payment } from '#validators/payment-records';
import { AppError } from '../base/errors.js';
import { compareTexts } from '../base/records.js';
import type { CreatedFacts, PaymentFacts } from './providers/provider-answer.js';
import { parseProviderTime } from './zoned-time.js';

/** A payment made through this gateway. Times are milliseconds since the epoch. */
export type { Payment } from '#validators/payment-records';

export type PaymentType = Payment['type'];

/** `open` is watched, `ended` has an outcome, and `unknown` is no longer watched and has no outcome. */
export type PaymentState = Payment['state'];

export type Outcome = NonNullable<Payment['outcome']>;

/** Returns the record of a payment that an intent has created. `zone` applies to dates without a zone. */
export function newPayment(intent: Intent, facts: CreatedFacts, zone: string): Payment {
  const { id: intentId, kind, organizationId, sessionId, profileId, cashier, amount } = intent;
  const { clientPhone, reference, sandbox, createdAt } = intent;
  const { id, otherId, status, statusDesc, qrToken, receiptUrl, orderNumber, expireDate } = facts;
  return {
    id,
    ...(otherId === null ? {} : { otherId }),
    type: kind === 'qr' ? 'qr' : 'invoice',
    state: 'open',
    ...{ organizationId, sessionId, amount },
    ...{ status, statusDesc, qrToken, receiptUrl, orderNumber },
    ...{ profileId, cashier, intentId },
    ...(clientPhone === undefined ? {} : { clientPhone }),
    ...(reference === undefined ? {} : { reference }),
    ...(sandbox ? { sandbox } : {}),
    expiresAt: parseProviderTime(expireDate ?? '', zone) ?? null,
    createdAt,
  };
}

/** Returns a payment updated with the result of a poll. */
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

/** Identifies a payment. Operation IDs are unique only per organization and type. */
export type PaymentName = Pick<Payment, 'organizationId' | 'type' | 'id'>;

/** Returns the key that identifies a payment in file names and tables, such as `17-qr-1001`. */
export function paymentKey({ organizationId, type, id }: PaymentName): string {
  return `${organizationId}-${type}-${id}`;
}

const keyPattern = /^(-?\d+)-(qr|invoice)-(\d+)$/;

/** Returns whether a text, such as a file name, is a payment key. */
export function isPaymentKey(text: string): boolean {
  return keyPattern.test(text);
}

/** Parses a payment key. */
export function nameOfPayment(key: string): PaymentName {
  const [, organization, type, id] = keyPattern.exec(key) ?? [];
  if (id === undefined) throw new Error(`${key} is not a payment key.`);
  return { organizationId: Number(organization), type: type === 'qr' ? 'qr' : 'invoice', id };
}

/** Returns the cursor of a payment in lists sorted newest first. The next page begins after it. */
export function cursorOf({ createdAt, ...name }: PaymentName & Pick<Payment, 'createdAt'>): string {
  return `${createdAt}-${paymentKey(name)}`;
}

/** The position of a payment in sorted lists. */
export interface PaymentPosition {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly key: string;
}

/** Parses a cursor. Throws `validation_failed` if it is invalid. */
export function positionOf(cursor: string): PaymentPosition {
  const [, time, key] = /^(\d{1,16})-(-?\d{1,16}-(?:qr|invoice)-\d{1,30})$/.exec(cursor) ?? [];
  if (time !== undefined && key !== undefined) return { createdAt: Number(time), key };
  throw new AppError('validation_failed', 'The cursor is not valid for a list of payments.', {
    details: [{ path: '/after', message: 'must be the cursor of a payment from a list' }],
  });
}

/** Compares positions: newest first, then the highest key first. */
export function compareNewestFirst(a: PaymentPosition, b: PaymentPosition): number {
  return b.createdAt - a.createdAt || compareTexts(b.key, a.key);
}

/** Returns payments sorted newest first. */
export function newestFirst(payments: readonly Payment[]): Payment[] {
  const positionOfOne = (payment: Payment) => ({ ...payment, key: paymentKey(payment) });
  return [...payments].sort((a, b) => compareNewestFirst(positionOfOne(a), positionOfOne(b)));
}

export type NewestGatherer<Row extends PaymentPosition> = ReturnType<typeof gatherNewest<Row>>;

/**
 * Collects rows in any order and returns the first `size` rows after `after`, newest first. If a key is added twice,
 * the last row is used. Keeps at most `2 * size` rows in memory.
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
    /** Returns whether there are `size` rows, all created at `time` or later. */
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
