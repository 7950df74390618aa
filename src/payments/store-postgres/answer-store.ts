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

/** An answer that the owner of its row has yet to store. */
interface Unkept extends AnswerRow {
  readonly answer: ProviderAnswer;
  readonly owner: string;
}

/** Interval between two checks of an equal request in another process, in milliseconds. */
const pollEvery = 200;
/** Maximum wait for such a request, in milliseconds. Longer than any call to the provider. @internal */
const maxFlight = 120_000;

/**
 * Stores answers in the table `payment_answers`. A row is inserted before the work and receives the answer after it.
 * Equal requests in other processes wait for the answer. If the worker dies, the next one takes over.
 */
export function createPostgresAnswerStore(
  database: Database,
  worker: Worker,
  clock: Clock,
): AnswerStore {
  /**
   * Names that this process is working on. Other rows that it owns were inserted by statements whose results were lost.
   */
  const underWay = new Set<string>();

  /** Claims the row of a request. Returns its owner's ID; undefined if another request has the row. */
  async function enter(name: string, body: string): Promise<string | undefined> {
    const now = new Date(clock.now());
    const { ranAt = null } = ranAtOf(clock);
    const { from, to } = recentRunningTimes(keptFor, clock);
    const [row] = await worker.claim(
      (workerId) =>
        query<{ worker: string }>(database, 'enter an answer')`
          insert into msgsite.payment_answers as known (name, body, worker, expires_at, ran_at)
          values (${name}, ${body}, ${workerId}, ${new Date(clock.now() + keptFor)}, ${ranAt})
          on conflict (name) do update set body = excluded.body, answer = null,
            worker = excluded.worker, expires_at = excluded.expires_at, ran_at = excluded.ran_at
          where (known.answer is null and (known.worker is null or known.worker = ${workerId})
              and known.body = excluded.body)
            or ((known.answer is not null or known.worker is null or known.worker = ${workerId})
              and known.expires_at <= ${now}
              and coalesce(known.ran_at not between ${from} and ${to}, true))
          returning worker`,
    );
    return row?.worker;
  }

  /** Deletes the row of a request without an answer, so that other processes do not wait until the lease expires. */
  async function drop(name: string): Promise<void> {
    const workerId = await worker.id();
    const remove = async () => {
      if (underWay.has(name)) return;
      await query(database, 'drop an answer')`
        delete from msgsite.payment_answers
        where name = ${name} and worker = ${workerId} and answer is null`;
    };
    // The row is deleted before the client receives the error, because the client may then use the key for a different
    // request.
    await remove().catch(() => worker.retryLater(remove));
  }

  /**
   * Stores an answer. Returns false if this process no longer owned the row, because a first attempt failed and the row
   * was deleted, or because the lease was lost. Another process may then have begun an equal request without the
   * answer.
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
      // The operation was made, so a repeated request must find its answer.
      worker.retryLater(store);
      throw error;
    }
  }

  /** Claims the row and performs the work. Returns undefined if another request has the row. */
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
      // A statement whose result was lost may still have inserted the row.
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
      const until = clock.monotonic() + maxFlight;
      while (clock.monotonic() < until) {
        const answer = (await attempt(name, body, work)) ?? (await find(name, body));
        if (answer) return answer;
        await clock.sleep(pollEvery);
      }
      throw new AppError('conflict', 'A request with this Idempotency-Key is still in progress.', {
        hint: 'Repeat the request with the same key.',
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
