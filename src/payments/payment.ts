import type { Payment } from '#validators/payment-records';
import type { CreatedFacts, PaymentFacts } from './providers/provider-answer.js';
import type { Outcome, PaymentType } from './watching/payment-rules.js';
import { parseProviderTime } from './zoned-time.js';

/** A payment made through this gateway. Times are milliseconds since the epoch. */
export type { Payment } from '#validators/payment-records';

/** `open` is watched, `ended` has an outcome, `unknown` was given up on without one. */
export type PaymentState = Payment['state'];

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

/** The payment with what a poll has shown. */
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
