import { Intent as isIntent } from '#validators/payment-records';
import type { AuditLine, PendingAct } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { cursorOf } from '../payment.js';
import type { PaymentFollower } from '../payment-follower.js';
import type { PaymentStores } from '../store.js';
import { actLine, adopted, adoptedSince, type Intent, isKeyTaken } from './intent.js';

export interface RecoveredOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds'>;
  readonly clock: Clock;
  readonly follower: PaymentFollower;
}

/** The line that ends an act whose process has died: what it made is stored, or it is in doubt. */
export type Recovered = (act: PendingAct) => Promise<AuditLine>;

export function createRecovered({ stores, clock, follower }: RecoveredOptions): Recovered {
  const { payments, intents, refunds } = stores;

  /** Returns what another attempt of the same request has made. */
  async function adoptedAs(intent: Intent): Promise<string | undefined> {
    const known = await intents.find(intent.id);
    if (known === undefined) return undefined;
    return (
      adoptedSince(known, intent) ?? (isKeyTaken(known, clock) ? known.operationId : undefined)
    );
  }

  async function isAdoptedAs({ id }: Intent, operationId: string): Promise<boolean> {
    const known = await intents.find(id);
    return known?.state === 'adopted' && known.operationId === operationId;
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
    const isMade = operationId !== undefined;
    // Its answer was perhaps not kept: from here on its key stands for what it has made.
    if (!isMade) await intents.add(record);
    else if (!(await isAdoptedAs(record, operationId))) {
      await intents.add(adopted(record, operationId, time, clock));
    }
    return actLine(record, isMade ? 'success' : 'unknown', { time, operationId });
  };
}

/** Payments read at a time. */
const pageLength = 100;

/**
 * What an intent has made, where that is stored: its process may have died right after storing it. Nothing
 * is older than its intent, so only what was made since counts: a key may be used again after a day, and what
 * it made then has the same intent's name.
 */
export async function findMade(
  { payments, refunds }: Pick<PaymentStores, 'payments' | 'refunds'>,
  { id, kind, organizationId, createdAt }: Intent,
): Promise<string | undefined> {
  if (kind === 'refund') {
    const refund = await refunds.find(id);
    const isMade = refund?.outcome === 'success' && refund.createdAt >= createdAt;
    if (!isMade) return undefined;
    // Its process may have died while it stored this: it is found by its name then, and in no list.
    await refunds.put(refund);
    return refund.id;
  }
  let after: string | undefined;
  for (;;) {
    const page = await payments.page({ organizationId, after, limit: pageLength });
    const made = page.payments.find(
      (payment) => payment.intentId === id && payment.createdAt >= createdAt,
    );
    if (made) return made.id;
    const last = page.payments.at(-1);
    if (!last || !page.hasMore || last.createdAt < createdAt) return undefined;
    after = cursorOf(last);
  }
}
