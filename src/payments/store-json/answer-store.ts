import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { hasExpired, ranAtOf } from '../../base/running-time.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { dayOf } from '../../storage/json/records/record-file.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { assertSame } from '../idempotency.js';
import type { ProviderAnswer } from '../providers/provider.js';
import { type AnswerStore, keptFor } from '../store.js';
import { answerPlan, type KeptAnswer } from './plans.js';

/** Keeps answers as one file each in a folder a day; old days are removed. */
export async function openJsonAnswerStore(
  folder: string,
  clock: Clock,
  files?: FileLayer,
): Promise<AnswerStore & { close(): Promise<void> }> {
  const answers = await openRecordFolder({
    folder,
    plan: answerPlan,
    clock,
    ...(files ? { files } : {}),
  });

  async function keep(name: string, record: KeptAnswer): Promise<true> {
    if (await answers.create(name, record)) return true;
    // Replaces one that has expired.
    await answers.change(name, () => ({ record, result: undefined }));
    return true;
  }

  async function find(name: string, body: string): Promise<ProviderAnswer | undefined> {
    const kept = (await answers.find(name))?.record;
    if (!kept || hasExpired(kept, keptFor, clock)) return undefined;
    assertSame(kept.body, body);
    return kept.answer;
  }

  return {
    find,
    async once(name, body, work) {
      const kept = await find(name, body);
      if (kept) return kept;
      return work((answer) => keep(name, { body, answer, at: clock.now(), ...ranAtOf(clock) }));
    },
    async removeExpired(now) {
      // A day has expired by the wall clock when all of it is more than 24 hours ago.
      await answers.removeBefore('kept', dayOf(now - keptFor), async (names) => {
        // Damaged answers stay until a repair sets them aside.
        const found = await Promise.all(names.map((name) => answers.find(name).catch(asDamage)));
        return found.flatMap((each) =>
          each && 'record' in each && hasExpired(each.record, keptFor, clock) ? [each.id] : [],
        );
      });
    },
    close: answers.close,
  };
}
