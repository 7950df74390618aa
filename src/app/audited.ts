import { randomUUID } from 'node:crypto';
import { type AuditLine, type AuditLog, operator } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import { paymentOf } from '../events/event.js';
import type { AuditChange } from '../site/routes/define-route.js';
import type { OnReplayed } from '../webhooks/replays.js';

interface AuditOptions {
  readonly audit: Pick<AuditLog, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
}

function add(
  { audit, clock }: AuditOptions,
  { kind, who, ids, outcome }: Pick<AuditLine, 'kind' | 'who' | 'ids' | 'outcome'>,
): Promise<void> {
  return audit.add({ id: randomUUID(), time: clock.now(), kind, who, amount: null, ids, outcome });
}

/** Returns a function that adds changes of a kind to the audit log. */
export function auditChanges(
  kind: 'settings' | 'order' | 'checkout',
  options: AuditOptions,
): AuditChange {
  return (who, ids) => add(options, { kind, who: who.name, ids, outcome: 'success' });
}

/** Returns a function that adds each request of a command's replay to the audit log before it is reported. */
export function auditReplays(options: AuditOptions): OnReplayed {
  return ({ eventId: event, deliveryId: delivery, facts, url, error }) => {
    const payment = paymentOf(facts)?.paymentId;
    const ids = {
      event,
      ...(delivery === null ? {} : { delivery }),
      ...(payment === undefined ? {} : { payment }),
      url,
    };
    const outcome = error === null ? 'success' : 'failed';
    return add(options, { kind: 'replay', who: operator.name, ids, outcome });
  };
}
