import { Intent as isIntent } from '#validators/payment-records';
import type { AuditLine, PendingAct } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import type { PaymentFollower } from '../payment-follower.js';
import type { PaymentStores } from '../store.js';
import { findMade } from './find-made.js';
import { actLine, adopted, type Intent, isKeyTaken } from './intent.js';

export interface RecoveredOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds'>;
  readonly clock: Clock;
  readonly follower: PaymentFollower;
}

/** The line that ends an act whose process has died: what it made is stored, or it is in doubt. */
export type Recovered = (act: PendingAct) => Promise<AuditLine>;

export function createRecovered({ stores, clock, follower }: RecoveredOptions): Recovered {
  const { payments, intents, refunds } = stores;

  /** What an act that was a repeat of one in doubt has made: an idempotent provider made it once for both. */
  async function adoptedAs({ id }: Intent): Promise<string | undefined> {
    const known = await intents.find(id);
    return known && isKeyTaken(known, clock) ? known.operationId : undefined;
  }

  /** Whether it is stored that the provider refused this very act. */
  async function wasRefused({ id, kind, createdAt }: Intent): Promise<boolean> {
    const refund = kind === 'refund' ? await refunds.find(id) : undefined;
    if (refund?.outcome !== 'failed' || refund.createdAt !== createdAt) return false;
    await refunds.put(refund);
    return true;
  }

  /** Its process may have died before it had told who follows the payment. */
  async function tell({ kind, organizationId, reference }: Intent, id: string): Promise<void> {
    if (reference === undefined || kind === 'refund') return;
    for (const made of await payments.find({ id, type: kind, organizationId })) {
      await follower.seen(made);
    }
  }

  return async function recovered({ id, record }) {
    if (!isIntent(record)) throw new Error(`The act ${id} holds no intent.`);
    const time = clock.now();
    const operationId = (await findMade(stores, record)) ?? (await adoptedAs(record));
    if (operationId === undefined && (await wasRefused(record))) {
      return actLine(record, 'failed', { time });
    }
    if (operationId !== undefined) await tell(record, operationId);
    // Its answer was perhaps not kept: from here on its key stands for what it has made.
    const isMade = operationId !== undefined;
    await intents.add(isMade ? adopted(record, operationId, time, clock) : record);
    return actLine(record, isMade ? 'success' : 'unknown', { time, operationId });
  };
}
