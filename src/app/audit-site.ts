import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import type { AuditChange } from '../site/routes/define-route.js';

export interface SiteAuditOptions {
  readonly audit: AuditLog;
  readonly clock: Pick<Clock, 'now'>;
  /** `admin` for the admin page and API, `operator` for a command. */
  readonly who: 'admin' | 'operator';
}

/** Writes down what was changed on the site. */
export function auditSite({ audit, clock, who }: SiteAuditOptions): AuditChange {
  return (ids) =>
    audit.add({
      id: randomUUID(),
      time: clock.now(),
      kind: 'settings',
      who,
      amount: null,
      ids,
      outcome: 'success',
    });
}
