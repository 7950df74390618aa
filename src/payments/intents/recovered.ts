import { Intent as isIntent } from '#validators/payment-records';
import type { AuditLine, PendingAct } from '../../base/audit.js';
import type { PaymentParts } from '../parts.js';
import { cursorOf } from '../payment.js';
import type { PaymentStores } from '../store.js';
import { actLine, adopted, adoptedSince, type Intent, isKeyTaken } from './intent.js';

interface RecoveredOptions extends Pick<PaymentParts, 'clock' | 'follower'> {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds'>;
}

/**
 * Creates the function that settles a call whose process has died. Afterwards, its operation is stored or its intent is
 * in doubt. The function returns the audit log entry that ends the call.
 */
export function createRecovered({ stores, clock, follower }: RecoveredOptions) {
  const { payments, intents, refunds } = stores;

  /** Returns the ID of the operation that another attempt of the same request created. */
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

  /** Returns whether a refusal of exactly this call is stored. */
  async function wasRefused({ id, kind, createdAt }: Intent): Promise<boolean> {
    const refund = kind === 'refund' ? await refunds.find(id) : undefined;
    if (refund?.outcome !== 'failed' || refund.createdAt !== createdAt) return false;
    await refunds.put(refund);
    return true;
  }

  /** Calls the follower, because the process may have died before it did. */
  async function notifyFollower(
    { kind, organizationId, reference }: Intent,
    id: string,
  ): Promise<void> {
    if (reference === undefined || kind === 'refund') return;
    for (const made of await payments.find({ id, type: kind, organizationId })) {
      await follower.seen(made);
    }
  }

  return async function recovered({ id, record }: PendingAct): Promise<AuditLine> {
    if (!isIntent(record)) throw new Error(`Call ${id} has no intent.`);
    const time = clock.now();
    const operationId = (await findMade(stores, record)) ?? (await adoptedAs(record));
    if (operationId === undefined && (await wasRefused(record))) {
      return actLine(record, 'failed', { time });
    }
    if (operationId !== undefined) await notifyFollower(record, operationId);
    const isMade = operationId !== undefined;
    // The answer of the call may not be stored. From now on, the intent links its key to its operation.
    if (!isMade) await intents.add(record);
    else if (!(await isAdoptedAs(record, operationId))) {
      await intents.add(adopted(record, operationId, time, clock));
    }
    return actLine(record, isMade ? 'success' : 'unknown', { time, operationId });
  };
}

/** Number of payments per page. */
const pageLength = 100;

/**
 * Returns the ID of the stored operation of an intent, whose process may have died right after storing it. Ignores
 * operations older than the intent, because a key that is reused after a day has the same intent ID.
 */
export async function findMade(
  { payments, refunds }: Pick<PaymentStores, 'payments' | 'refunds'>,
  { id, kind, organizationId, createdAt }: Intent,
): Promise<string | undefined> {
  if (kind === 'refund') {
    const refund = await refunds.find(id);
    const isMade = refund?.outcome === 'success' && refund.createdAt >= createdAt;
    if (!isMade) return undefined;
    // If its process died while storing the refund, the refund can be found by ID but is missing from lists.
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
