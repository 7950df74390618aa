import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { dayOf } from '../../storage/json/records/record-paths.js';
import { assertSame } from '../idempotency.js';
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
  let cleanedUp = '';

  /** Once a day is enough; a day is removed when all of it is older than 24 h. */
  async function cleanUp(): Promise<void> {
    const oldest = dayOf(clock.now() - keptFor);
    if (oldest === cleanedUp) return;
    cleanedUp = oldest;
    await answers.removeBefore('kept', oldest);
  }

  async function keep(name: string, record: KeptAnswer): Promise<true> {
    if (await answers.create(name, record)) return true;
    // In the place of one that has run out.
    await answers.change(name, () => ({ record, result: undefined }));
    return true;
  }

  return {
    async once(name, body, work) {
      await cleanUp();
      const kept = (await answers.find(name))?.record;
      const isValid = kept && kept.at + keptFor > clock.now();
      if (isValid) {
        assertSame(kept.body, body);
        return kept.answer;
      }
      return work((answer) => keep(name, { body, answer, at: clock.now() }));
    },
    close: answers.close,
  };
}
