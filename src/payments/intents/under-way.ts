import { type Intent, Intent as isIntent } from '#validators/payment-records';
import type { ActUnderWay, AuditLog } from '../../base/audit.js';

/** A call that moves money and has not ended, and the process that makes it. */
export interface RunningIntent {
  readonly intent: Intent;
  readonly holder: ActUnderWay['holder'];
}

/** Returns the calls under way in any process that move money. */
export async function intentsUnderWay(audit: Pick<AuditLog, 'pending'>): Promise<RunningIntent[]> {
  const acts = await audit.pending();
  return acts.flatMap(({ record, holder }) =>
    isIntent(record) ? [{ intent: record, holder }] : [],
  );
}
