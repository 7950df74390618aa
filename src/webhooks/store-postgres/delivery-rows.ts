import { type AnySql, jsonParameter } from '../../storage/postgres/connect.js';
import type { Delivery } from '../delivery.js';
import type { PaymentName } from '../store.js';

/** What names the payment of a delivery in its row. */
export function nameOf({ type, id }: PaymentName): string {
  return `${type}-${id}`;
}

/** A delivery with the columns by which it is found. */
export function toRow(delivery: Delivery, sql: AnySql) {
  const { id, state, nextAttemptAt, endedAt, occurredAt, facts, subscription } = delivery;
  return {
    id,
    state,
    payment: nameOf({ type: facts.type, id: facts.paymentId }),
    nextAttemptAt,
    lane: subscription.id,
    listedAt: endedAt ?? occurredAt,
    record: jsonParameter(sql, delivery),
  };
}
