import { join } from 'node:path';
import { dayOf } from '../../storage/json/records/record-file.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import type { IntentStore, RefundStore } from '../store.js';
import type { JsonPaymentStoreOptions } from './payment-store.js';
import { intentPlan, refundPlan } from './plans.js';

/** Keeps each intent in a file below `intents/`: in `in_doubt/`, or in `<state>/<day>/` once it is closed. */
export async function openJsonIntentStore(
  options: JsonPaymentStoreOptions,
): Promise<IntentStore & { close(): Promise<void> }> {
  const intents = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'intents'),
    plan: intentPlan,
  });
  return {
    async add(intent) {
      // Where there is none, somebody else may add one before this does: then that one counts.
      for (let isKept = false; !isKept; ) {
        const before = await intents.change(intent.id, (kept) => ({
          ...(kept && kept.state !== 'in_doubt' ? { record: intent } : {}),
          result: kept,
        }));
        isKept = before !== undefined || (await intents.create(intent.id, intent));
      }
    },
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

/** Refunds as one file each in `kept/<day>/` of `refunds/`. */
export async function openJsonRefundStore(
  options: JsonPaymentStoreOptions,
): Promise<RefundStore & { close(): Promise<void> }> {
  const refunds = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'refunds'),
    plan: refundPlan,
  });
  return {
    async put(refund) {
      const { intentId } = refund;
      // Where there is none, somebody else may store one before this does: then that one is replaced.
      for (let isKept = false; !isKept; ) {
        const isReplaced = await refunds.change(intentId, (kept) =>
          kept ? { record: refund, result: true } : { result: false },
        );
        isKept = isReplaced || (await refunds.create(intentId, refund));
      }
    },
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
