import type { Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import { jsonParameter } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { type AnswerStore, assertSame, keptFor } from '../answer-store.js';
import type { ProviderAnswer } from '../provider.js';

interface AnswerRow {
  readonly body: string;
  readonly answer: ProviderAnswer | null;
}

/** How often the request that came first is looked at, in milliseconds. */
const lookEvery = 200;
/** Longer than a request to the provider can take, in milliseconds. */
const longestFlight = 120_000;

/**
 * Answers in the table `payment_answers`. A row is entered before the work and filled with its answer:
 * equal requests of other processes wait for it, and where its worker dies, the next one takes over.
 */
export function createPostgresAnswerStore(
  database: Database,
  worker: Worker,
  clock: Clock,
): AnswerStore {
  async function enter(name: string, body: string): Promise<boolean> {
    const now = new Date(clock.now());
    const rows = await worker.claim((own) =>
      database.run(
        'enter an answer',
        (sql) => sql`
        insert into msgsite.payment_answers as known (name, body, worker, expires_at)
        values (${name}, ${body}, ${own}, ${new Date(clock.now() + keptFor)})
        on conflict (name) do update set body = excluded.body, answer = null,
          worker = excluded.worker, expires_at = excluded.expires_at
        where (known.answer is not null and known.expires_at <= ${now})
          or (known.answer is null and known.worker is null
            and (known.body = excluded.body or known.expires_at <= ${now}))
        returning name`,
      ),
    );
    return rows.length > 0;
  }

  async function work(name: string, ask: () => Promise<ProviderAnswer>): Promise<ProviderAnswer> {
    let answer: ProviderAnswer;
    try {
      answer = await ask();
    } catch (error) {
      // Only successes are kept. Where this fails too, the row is free when the lease ends.
      await database
        .run(
          'drop an answer',
          (sql) => sql`delete from msgsite.payment_answers where name = ${name} and answer is null`,
        )
        .catch(() => {});
      throw error;
    }
    await database.run(
      'keep an answer',
      (sql) => sql`
        update msgsite.payment_answers set answer = ${jsonParameter(sql, answer)}, worker = null,
          expires_at = ${new Date(clock.now() + keptFor)}
        where name = ${name}`,
    );
    return answer;
  }

  return {
    async once(name, body, ask) {
      const until = clock.now() + longestFlight;
      while (clock.now() < until) {
        if (await enter(name, body)) return work(name, ask);
        const [row] = await database.run(
          'read an answer',
          (sql) => sql<AnswerRow[]>`
            select body, answer from msgsite.payment_answers where name = ${name}`,
        );
        if (row) assertSame(row.body, body);
        if (row?.answer) return row.answer;
        await clock.sleep(lookEvery);
      }
      throw new AppError('conflict', 'A request with this Idempotency-Key is still under way.', {
        hint: 'Ask again with the same key.',
      });
    },
  };
}
