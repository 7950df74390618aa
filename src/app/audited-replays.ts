import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import type { OnReplayed } from '../webhooks/replays.js';

/** Writes every request that a command's replay has made down before it is told. */
export function auditReplays(audit: Pick<AuditLog, 'add'>, clock: Pick<Clock, 'now'>): OnReplayed {
  return ({ eventId, deliveryId, facts, url, error }) =>
    audit.add({
      id: randomUUID(),
      time: clock.now(),
      kind: 'replay',
      who: 'operator',
      amount: null,
      ids: {
        event: eventId,
        ...(deliveryId === null ? {} : { delivery: deliveryId }),
        payment: facts.paymentId,
        url,
      },
      outcome: error === null ? 'success' : 'failed',
    });
}
