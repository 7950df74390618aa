import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { ranAtOf, recentRunningTimes } from '../../base/running-time.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { json } from '../../storage/postgres/sql.js';
import { removeExpiredKeys } from '../../storage/postgres/sweep.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { assertSame } from '../idempotency.js';
import type { ProviderAnswer } from '../providers/provider.js';
import { keptFor } from '../records.js';
import type { AnswerStore } from '../store.js';

interface AnswerRow {
  readonly body: string;
  readonly answer: ProviderAnswer | null;
}

/** An answer to be kept by the process in whose name its row was entered. */
interface Unkept extends AnswerRow {
  readonly answer: ProviderAnswer;
  readonly owner: string;
}

/** How often the request that came first is polled, in milliseconds. */
const pollEvery = 200;
/** Milliseconds for a request to the provider: longer than one can take. @internal */
const longestFlight = 120_000;

/**
 * Answers in the table `payment_answers`. A row is inserted before the work and filled with its answer:
 * equal requests of other processes wait for it, and where its worker dies, the next one takes over.
 */
export function createPostgresAnswerStore(
  database: Database,
  worker: Worker,
  clock: Clock,
): AnswerStore {
  /** Names that this process is working on. A row in its name beyond these was left by a lost answer. */
  const underWay = new Set<string>();

  /** The name under which the row is this process's now; undefined where another request has it. */
  async function enter(name: string, body: string): Promise<string | undefined> {
    const now = new Date(clock.now());
    const { ranAt = null } = ranAtOf(clock);
    const { from, to } = recentRunningTimes(keptFor, clock);
    const [row] = await worker.claim(
      (own) =>
        query<{ worker: string }>(database, 'enter an answer')`
          insert into msgsite.payment_answers as known (name, body, worker, expires_at, ran_at)
          values (${name}, ${body}, ${own}, ${new Date(clock.now() + keptFor)}, ${ranAt})
          on conflict (name) do update set body = excluded.body, answer = null,
            worker = excluded.worker, expires_at = excluded.expires_at, ran_at = excluded.ran_at
          where (known.answer is null and (known.worker is null or known.worker = ${own})
              and known.body = excluded.body)
            or ((known.answer is not null or known.worker is null or known.worker = ${own})
              and known.expires_at <= ${now}
              and coalesce(known.ran_at not between ${from} and ${to}, true))
          returning worker`,
    );
    return row?.worker;
  }

  /** Frees the row of a request that came to nothing, so that others need not wait for the lease. */
  async function drop(name: string): Promise<void> {
    const own = await worker.id();
    const remove = async () => {
      if (underWay.has(name)) return;
      await query(database, 'drop an answer')`
        delete from msgsite.payment_answers
        where name = ${name} and worker = ${own} and answer is null`;
    };
    // Before its client learns of it, who may use the key for something else then.
    await remove().catch(() => worker.retryLater(remove));
  }

  /**
   * False where the row was not this process's any more: it was freed when the answer could not be stored at first, or
   * the lease was lost. Others may have entered it and not found the answer.
   */
  async function keep(name: string, { body, answer, owner }: Unkept): Promise<boolean> {
    const store = async () => {
      const until = new Date(clock.now() + keptFor);
      const { ranAt = null } = ranAtOf(clock);
      const kept = await query(database, 'keep an answer')`
          update msgsite.payment_answers set answer = ${json(answer)}, worker = null,
            expires_at = ${until}, ran_at = ${ranAt}
          where name = ${name} and worker = ${owner} and answer is null
          returning 1`;
      if (kept.length > 0) return true;
      await query(database, 'keep a late answer')`
          insert into msgsite.payment_answers as known (name, body, answer, expires_at, ran_at)
          values (${name}, ${body}, ${json(answer)}, ${until}, ${ranAt})
          on conflict (name) do update set answer = excluded.answer, worker = null,
            expires_at = excluded.expires_at, ran_at = excluded.ran_at
          where known.answer is null and known.body = excluded.body`;
      return false;
    };
    try {
      return await store();
    } catch (error) {
      // It was made, whatever its client learns now: the same request again is to find it.
      worker.retryLater(store);
      throw error;
    }
  }

  /** Enters the row and does the work for it; undefined where another request has it. */
  async function attempt(name: string, body: string, work: Parameters<AnswerStore['once']>[2]) {
    underWay.add(name);
    let isOthers = false;
    let isKept = false;
    try {
      const owner = await enter(name, body);
      isOthers = owner === undefined;
      if (owner === undefined) return undefined;
      return await work((answer) => {
        isKept = true;
        return keep(name, { body, answer, owner });
      });
    } finally {
      underWay.delete(name);
      // What was not kept is freed; and a row may have been entered by a statement whose answer was lost.
      if (!isOthers && !isKept) await drop(name).catch(() => {});
    }
  }

  async function find(name: string, body: string): Promise<ProviderAnswer | undefined> {
    const [row] = await query<AnswerRow>(database, 'read an answer')`
      select body, answer from msgsite.payment_answers where name = ${name}`;
    if (row) assertSame(row.body, body);
    return row?.answer ?? undefined;
  }

  return {
    find,
    async once(name, body, work) {
      const until = clock.monotonic() + longestFlight;
      while (clock.monotonic() < until) {
        const answer = (await attempt(name, body, work)) ?? (await find(name, body));
        if (answer) return answer;
        await clock.sleep(pollEvery);
      }
      throw new AppError('conflict', 'A request with this Idempotency-Key is still under way.', {
        hint: 'Ask again with the same key.',
      });
    },
    removeExpired: (now) =>
      removeExpiredKeys(
        {
          ...{ database, table: 'msgsite.payment_answers', statement: 'remove expired answers' },
          ...{ life: keptFor, clock },
        },
        now,
      ),
  };
}
