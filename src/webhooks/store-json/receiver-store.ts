import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import type { ReceiverState } from '../receivers.js';
import type { ReceiverStore } from '../store.js';
import type { JsonWebhookFolder } from './event-store.js';
import { receiverPlan } from './plan.js';

/** File systems stamp a folder with a clock that may stand still for so many milliseconds. */
const coarseMs = 2_000;

/** How receivers take their deliveries, as one file a subscription that has ever had trouble. */
export async function openJsonReceiverStore(
  options: JsonWebhookFolder,
): Promise<ReceiverStore & { close(): Promise<void> }> {
  const { folder } = options;
  // What is damaged is found by `data check`; a receiver without a record is one that has had no trouble.
  const records = await openRecordFolder({ ...options, plan: receiverPlan, onDamaged() {} });
  let read: { readonly mark: number; readonly states: readonly ReceiverState[] } | undefined;

  /** When something was put into the folder or taken out, by the machine's own time; a change does both. */
  async function changedAt(): Promise<number> {
    const found = await stat(join(folder, 'kept')).catch(() => undefined);
    return found?.mtimeMs ?? Number.NaN;
  }

  return {
    async list() {
      const mark = await changedAt();
      if (read?.mark === mark) return read.states;
      const states: ReceiverState[] = [];
      for await (const { record } of records.list(['kept'])) states.push(record);
      // A change within the same tick of that clock would not be seen.
      read = systemClock.now() - mark > coarseMs ? { mark, states } : undefined;
      return states;
    },
    async change(initial, change) {
      await records.create(initial.id, initial);
      return records.change(initial.id, (state = initial) => {
        const changed = change(state);
        return { record: changed, result: changed };
      });
    },
    close: records.close,
  };
}
