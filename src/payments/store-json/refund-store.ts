import { join } from 'node:path';
import { dayOf } from '../../storage/json/records/record-file.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import type { RefundStore } from '../store.js';
import type { JsonPaymentStoreOptions } from './payment-store.js';
import { refundPlan } from './plans.js';

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
