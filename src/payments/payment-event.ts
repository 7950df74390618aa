import type { Payment } from './payment.js';
import type { PaymentFacts } from './providers/provider-answer.js';
import type { Outcome, PaymentType } from './watching/payment-rules.js';

export type PaymentEventName = `payment.${Exclude<Outcome, 'pending'>}`;

/**
 * What is told to the world when a payment has ended; the sender adds the time of sending. Payment,
 * type and event name it: announced again after a crash, it is still the same event.
 */
export interface PaymentEvent {
  readonly event: PaymentEventName;
  readonly paymentId: string;
  readonly type: PaymentType;
  readonly status: string;
  readonly statusDesc: string;
  /** Tenge. */
  readonly amount: number | null;
  readonly qrToken: string | null;
  readonly receiptUrl: string | null;
  readonly orderNumber: string | null;
  /** The provider's whole answer data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When the outcome was learnt, in milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** Takes an event in charge: once it resolves, the event is stored and will be delivered. */
export type Announce = (event: PaymentEvent) => Promise<void>;

/** The event of a payment that has ended with the facts that ended it. */
export function eventOf(
  payment: Payment,
  outcome: Exclude<Outcome, 'pending'>,
  facts: PaymentFacts,
  occurredAt: number,
): PaymentEvent {
  const { id, type, amount, qrToken, receiptUrl, orderNumber } = payment;
  return {
    event: `payment.${outcome}`,
    paymentId: id,
    type,
    status: facts.status,
    statusDesc: facts.statusDesc,
    amount: amount ?? facts.amount,
    qrToken,
    receiptUrl: facts.receiptUrl ?? receiptUrl,
    orderNumber: facts.orderNumber ?? orderNumber,
    data: facts.data,
    occurredAt,
  };
}
