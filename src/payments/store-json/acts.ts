import { join } from 'node:path';
import { dayOf } from '../../storage/json/records/record-file.js';
import { openRecordFolder, type RecordFolder } from '../../storage/json/records/record-folder.js';
import type { IntentStore, RefundStore } from '../store.js';
import type { JsonPaymentStoreOptions } from './payment-store.js';
import { intentPlan, refundPlan } from './plans.js';

/** Stores each intent in a file below `intents/`: in `in_doubt/`, or in `<state>/<day>/` once it is closed. */
export async function openJsonIntentStore(
  options: JsonPaymentStoreOptions,
): Promise<IntentStore & { close(): Promise<void> }> {
  const intents = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'intents'),
    plan: intentPlan,
  });
  return {
    add: (intent) => upsert(intents, intent.id, intent, ({ state }) => state !== 'in_doubt'),
    find: async (id) => (await intents.find(id))?.record,
    async *list(state) {
      for await (const { record } of intents.list([state])) yield record;
    },
    change: (id, change) =>
      intents.change(id, async (before) => {
        const record = before && (await change(before));
        return { ...(record ? { record } : {}), result: record ?? before };
      }),
    async removeClosedBefore(day) {
      await intents.removeBefore('adopted', day);
      await intents.removeBefore('not_made', day);
      await intents.removeBefore('abandoned', day);
    },
    close: intents.close,
  };
}

/** Stores a record. Replaces a stored record only if `mayReplace` returns true for it. */
async function upsert<T extends object, State extends string>(
  folder: RecordFolder<T, State>,
  id: string,
  record: T,
  mayReplace: (kept: T) => boolean,
): Promise<void> {
  // Another process may add the record first. In that case, the loop tries again.
  for (let isKept = false; !isKept; ) {
    const isKnown = await folder.change(id, (kept) => ({
      ...(kept && mayReplace(kept) ? { record } : {}),
      result: kept !== undefined,
    }));
    isKept = isKnown || (await folder.create(id, record));
  }
}

/** Stores each refund in a file in `refunds/kept/<day>/`. */
export async function openJsonRefundStore(
  options: JsonPaymentStoreOptions,
): Promise<RefundStore & { close(): Promise<void> }> {
  const refunds = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'refunds'),
    plan: refundPlan,
  });
  return {
    put: (refund) => upsert(refunds, refund.intentId, refund, () => true),
    find: async (intentId) => (await refunds.find(intentId))?.record,
    async *list({ since = 0 } = {}) {
      const isDayWanted = async (day: string) => day >= dayOf(since);
      for await (const { record } of refunds.list(['kept'], { isDayWanted })) {
        if (record.createdAt >= since) yield record;
      }
    },
    async removeBefore(day) {
      await refunds.removeBefore('kept', day, async (ids) => ids);
    },
    close: refunds.close,
  };
}
