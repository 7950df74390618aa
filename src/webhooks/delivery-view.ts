import type { Delivery } from './delivery.js';
import type { StoredEvent } from './event.js';

/** A delivery as commands print it: one flat object a script can work with. */
export function viewDelivery(delivery: Delivery) {
  const { id, eventId, facts, subscription, state } = delivery;
  const { occurredAt, nextAttemptAt, endedAt, attempts } = delivery;
  const { event, organizationId = null, paymentId, type, status, amount } = facts;
  return {
    id,
    eventId,
    event,
    organizationId,
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

/** An event as commands print it, with its deliveries: none where nobody wanted it. */
export function viewEvent(
  { id, facts, occurredAt }: StoredEvent,
  deliveries: readonly Delivery[] = [],
) {
  const { event, organizationId = null, paymentId, type, status, amount } = facts;
  return {
    id,
    event,
    organizationId,
    paymentId,
    type,
    status,
    amount,
    occurredAt,
    deliveries: deliveries.map(viewDelivery),
  };
}
