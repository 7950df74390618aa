import type { Clock } from '../../base/clock.js';
import { createSpool } from '../../storage/json/spool.js';
import { type AnswerStore, assertSame, keptFor } from '../answer-store.js';
import type { ProviderAnswer } from '../providers/provider.js';

/** An answer as it stands in its file; `at` in milliseconds since the epoch. */
export interface KeptAnswer {
  readonly body: string;
  readonly answer: ProviderAnswer;
  readonly at: number;
}

/** Keeps answers as one file each in a folder a day; old days are removed. */
export async function openJsonAnswerStore(folder: string, clock: Clock): Promise<AnswerStore> {
  const spool = await createSpool<KeptAnswer, 'kept'>({
    folder,
    states: { kept: 'by-day' },
    clock,
  });
  let sweptDay = '';

  /** Once a day is enough; a day is removed when all of it is older than 24 h. */
  async function sweep(): Promise<void> {
    const oldest = new Date(clock.now() - keptFor).toISOString().slice(0, 10);
    if (oldest === sweptDay) return;
    sweptDay = oldest;
    await spool.removeDaysBefore('kept', oldest);
  }

  return {
    async once(name, body, ask) {
      await sweep();
      const kept = (await spool.read(name))?.record;
      const valid = kept && kept.at + keptFor > clock.now();
      if (valid) {
        assertSame(kept.body, body);
        return kept.answer;
      }
      const answer = await ask();
      const record = { body, answer, at: clock.now() };
      // One that has run out makes room in the folder of today.
      await (kept ? spool.move(name, 'kept', { record }) : spool.create(name, 'kept', record));
      return answer;
    },
  };
}
