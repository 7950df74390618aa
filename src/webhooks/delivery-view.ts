import type { Delivery } from '../events/delivery.js';
import type { EventFacts, StoredEvent } from '../events/event.js';

/** Returns a delivery as commands print it: one flat object for scripts. */
export function viewDelivery(delivery: Delivery) {
  const { id, eventId, facts, subscription, state } = delivery;
  const { occurredAt, nextAttemptAt, endedAt, attempts } = delivery;
  return {
    ...{ id, eventId, ...viewFacts(facts), url: subscription.url, state },
    ...{ occurredAt, nextAttemptAt, endedAt, attempts },
  };
}

/** Returns an event as commands print it, with its deliveries, if there are any. */
export function viewEvent(
  { id, facts, occurredAt }: StoredEvent,
  deliveries: readonly Delivery[] = [],
) {
  return { id, ...viewFacts(facts), occurredAt, deliveries: deliveries.map(viewDelivery) };
}

function viewFacts(facts: EventFacts) {
  if ('subject' in facts) return { event: facts.event, subject: facts.subject };
  const { event, organizationId = null, paymentId, type, status, amount } = facts;
  return { event, organizationId, paymentId, type, status, amount };
}
