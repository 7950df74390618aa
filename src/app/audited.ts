import { randomUUID } from 'node:crypto';
import type { AuditLine, AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import { paymentOf } from '../events/event.js';
import type { AuditChange } from '../site/routes/define-route.js';
import type { OnReplayed } from '../webhooks/replays.js';

interface AuditOptions {
  readonly audit: Pick<AuditLog, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
  /** `admin` for the admin page and API, `operator` for a command. */
  readonly who: 'admin' | 'operator';
}

function add(
  { audit, clock, who }: AuditOptions,
  { kind, ids, outcome }: Pick<AuditLine, 'kind' | 'ids' | 'outcome'>,
): Promise<void> {
  return audit.add({ id: randomUUID(), time: clock.now(), kind, who, amount: null, ids, outcome });
}

/** Returns a function that adds a change of the site to the audit. */
export function auditSite(options: AuditOptions): AuditChange {
  return (ids) => add(options, { kind: 'settings', ids, outcome: 'success' });
}

/** Returns a function that adds each request of a command's replay to the audit before it is reported. */
export function auditReplays(options: Omit<AuditOptions, 'who'>): OnReplayed {
  return ({ eventId: event, deliveryId: delivery, facts, url, error }) => {
    const payment = paymentOf(facts)?.paymentId;
    const ids = {
      event,
      ...(delivery === null ? {} : { delivery }),
      ...(payment === undefined ? {} : { payment }),
      url,
    };
    const outcome = error === null ? 'success' : 'failed';
    return add({ ...options, who: 'operator' }, { kind: 'replay', ids, outcome });
  };
}
