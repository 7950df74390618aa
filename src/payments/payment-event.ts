import type { StoredFacts } from '#validators/webhooks';
import type { Outcome, Payment } from './payment.js';
import type { PaymentFacts } from './providers/provider-answer.js';

/**
 * What is announced when a payment has ended. Payment, type and event name it: announced again
 * after a crash, it is still the same event.
 */
export interface PaymentEnd extends StoredFacts {
  /** When the outcome was learnt, in milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** Takes an event in charge: once it resolves, the event is stored and will be delivered. */
export type Announce = (event: PaymentEnd) => Promise<void>;

/** The event of a payment that has ended with the facts that ended it. */
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
