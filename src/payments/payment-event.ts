import type { StoredFacts } from '#validators/webhooks';
import type { Outcome, Payment } from './payment.js';
import type { PaymentFacts } from './providers/provider-answer.js';

/**
 * The event of a payment that has ended. It is identified by payment, type and event name, so a repeated announcement
 * after a crash is the same event.
 */
export interface PaymentEnd extends StoredFacts {
  /** Time at which this process received the outcome, in milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** Stores an event for delivery. Once the promise resolves, the event is stored, and its delivery will be attempted even after a crash. */
export type Announce = (event: PaymentEnd) => Promise<void>;

/** Returns the event of a payment that has ended; `facts` come from the last poll. */
export function eventOf(
  payment: Payment & { readonly reference?: string | undefined },
  outcome: Outcome,
  facts: PaymentFacts,
  occurredAt: number,
): PaymentEnd {
  const { organizationId, id, type, amount, qrToken, receiptUrl, orderNumber } = payment;
  const { reference, sandbox } = payment;
  return {
    event: `payment.${outcome}`,
    organizationId,
    paymentId: id,
    type,
    status: facts.status,
    statusDesc: facts.statusDesc,
    amount: amount ?? facts.amount,
    qrToken,
    receiptUrl: facts.receiptUrl ?? receiptUrl,
    orderNumber: facts.orderNumber ?? orderNumber,
    ...(reference === undefined ? {} : { reference }),
    ...(sandbox ? { sandbox } : {}),
    data: facts.data,
    occurredAt,
  };
}
