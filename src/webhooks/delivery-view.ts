import type { Delivery } from './delivery.js';

/** A delivery as commands print it: one flat object a script can work with. */
export function viewDelivery(delivery: Delivery) {
  const { id, eventId, facts, subscription, state } = delivery;
  const { occurredAt, nextAttemptAt, endedAt, attempts } = delivery;
  const { event, paymentId, type, status, amount } = facts;
  return {
    id,
    eventId,
    event,
    paymentId,
    type,
    status,
    amount,
    url: subscription.url,
    state,
    occurredAt,
    nextAttemptAt,
    endedAt,
    attempts,
  };
}
