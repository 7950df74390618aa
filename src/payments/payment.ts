import type { CreatedFacts, PaymentFacts } from './providers/provider-answer.js';
import type { Outcome, PaymentType } from './watching/payment-rules.js';
import { parseProviderTime } from './zoned-time.js';

/** `open` is watched, `ended` has an outcome, `unknown` was given up on without one. */
export type PaymentState = 'open' | 'ended' | 'unknown';

/** A payment made through this gateway. Times are milliseconds since the epoch. */
export interface Payment {
  /** The provider's operation id. */
  readonly id: string;
  readonly type: PaymentType;
  readonly state: PaymentState;
  readonly organizationId: number;
  /** Name of the session it was made with (not the tokenSN itself). */
  readonly sessionId: string;
  /** Tenge. */
  readonly amount: number;
  /** Last status the provider named. */
  readonly status: string;
  readonly statusDesc: string;
  readonly qrToken: string | null;
  readonly receiptUrl: string | null;
  readonly orderNumber: string | null;
  /** The billed client's number; invoices only. */
  readonly clientPhone?: string;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  /** Since when every look has failed; kept once that has lasted a while. */
  readonly failingSince?: number;
  readonly outcome?: Exclude<Outcome, 'pending'>;
  readonly endedAt?: number;
}

interface Origin {
  readonly type: PaymentType;
  readonly organizationId: number;
  readonly sessionId: string;
  readonly amount: number;
  readonly clientPhone?: string;
  readonly now: number;
  readonly zone: string;
}

/** The record of a payment that the provider has just made. */
export function newPayment(origin: Origin, facts: CreatedFacts): Payment {
  const { type, organizationId, sessionId, amount, clientPhone, now, zone } = origin;
  const expiresAt =
    facts.expireDate === null ? undefined : parseProviderTime(facts.expireDate, zone);
  return {
    id: facts.id,
    type,
    state: 'open',
    organizationId,
    sessionId,
    amount,
    status: facts.status,
    statusDesc: facts.statusDesc,
    qrToken: facts.qrToken,
    receiptUrl: facts.receiptUrl,
    orderNumber: facts.orderNumber,
    ...(clientPhone === undefined ? {} : { clientPhone }),
    expiresAt: expiresAt ?? null,
    createdAt: now,
  };
}

/** The payment with what a look has shown. */
export function withFacts(payment: Payment, facts: PaymentFacts): Payment {
  const { status, statusDesc, receiptUrl, orderNumber } = facts;
  const { failingSince, ...kept } = payment;
  return {
    ...kept,
    status,
    statusDesc,
    receiptUrl: receiptUrl ?? payment.receiptUrl,
    orderNumber: orderNumber ?? payment.orderNumber,
  };
}

/** The payment as ended at `now`. */
export function withOutcome(
  payment: Payment,
  outcome: Exclude<Outcome, 'pending'>,
  now: number,
): Payment {
  return { ...payment, state: 'ended', outcome, endedAt: now };
}

/** The payment as given up on at `now`. */
export function asUnknown(payment: Payment, now: number): Payment {
  return { ...payment, state: 'unknown', endedAt: now };
}

/** Names a payment among all: QR and invoice operations may share a number. */
export function paymentKey({ type, id }: Pick<Payment, 'type' | 'id'>): string {
  return `${type}-${id}`;
}

/** What a payment's key was made from. */
export function nameOfPayment(key: string): Pick<Payment, 'type' | 'id'> {
  return { type: key.startsWith('qr-') ? 'qr' : 'invoice', id: key.slice(key.indexOf('-') + 1) };
}
