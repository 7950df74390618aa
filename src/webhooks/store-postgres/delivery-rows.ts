import { json } from '../../storage/postgres/sql.js';
import type { Delivery } from '../delivery.js';
import { nameOf } from '../store.js';

/** A delivery with the columns by which it is found. */
export function toRow(delivery: Delivery) {
  const { id, state, nextAttemptAt, endedAt, occurredAt, facts, subscription } = delivery;
  return {
    id,
    state,
    payment: nameOf({ type: facts.type, id: facts.paymentId }),
    organization: facts.organizationId ?? null,
    nextAttemptAt,
    lane: subscription.id,
    listedAt: endedAt ?? occurredAt,
    record: json(delivery),
  };
}
