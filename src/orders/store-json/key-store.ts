import { join } from 'node:path';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import type { JsonOrderStoreOptions } from './options.js';
import { type KeptKey, keyPlan } from './plans.js';

/** What keys stand for, as one file each in a folder a day of `keys/`. */
export async function openJsonKeyStore(options: JsonOrderStoreOptions) {
  const keys = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'keys'),
    plan: keyPlan,
  });
  return {
    find: async (keyHash: string) => (await keys.find(keyHash))?.record,
    /** Has a key stand for an order, unless it does for one that `counts`; gives what it stands for then. */
    async take(
      keyHash: string,
      record: KeptKey,
      counts: (kept: KeptKey) => Promise<boolean>,
    ): Promise<KeptKey> {
      for (;;) {
        if (await keys.create(keyHash, record)) return record;
        const holder = await keys.change<KeptKey | undefined>(keyHash, async (kept) => {
          if (!kept || (await counts(kept))) return { result: kept };
          return { record, result: record };
        });
        if (holder) return holder;
      }
    },
    /** Frees a key that stands for an order which is gone; one that others work on is taken over by them. */
    async free(keyHash: string, orderId: string): Promise<void> {
      const claimed = await keys.claim(keyHash);
      if (claimed?.record.orderId === orderId) await claimed.remove();
      else await claimed?.release();
    },
    /** Removes expired keys of days before `day` (`YYYY-MM-DD`). Damaged ones stay until a repair sets them aside. */
    removeBefore: (day: string, isKeyOver: (kept: KeptKey) => boolean) =>
      keys.removeBefore('kept', day, async (names) => {
        const found = await Promise.all(names.map((name) => keys.find(name).catch(asDamage)));
        return found.flatMap((each) =>
          each && 'record' in each && isKeyOver(each.record) ? [each.id] : [],
        );
      }),
    close: keys.close,
  };
}
