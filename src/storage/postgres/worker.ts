import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../base/clock.js';
import { systemErrorCode } from '../../base/errors.js';
import { startEvery } from '../../base/every.js';
import { lazy } from '../../base/single-flight.js';
import { leaseMs, renewEvery } from '../lease-times.js';
import type { Database } from './database.js';
import { query } from './database.js';

/** This process as one of those that claim work; its claims hold while its lease does. */
export interface Worker {
  /** Name under which to claim; enters the process (again, where the lease was lost) when needed. */
  id(): Promise<string>;
  /** Claims something with a statement that writes the name; where the lease was just lost, once more. */
  claim<Result>(claim: (name: string) => Promise<Result>): Promise<Result>;
  /**
   * Prolongs the lease and ends those of processes that died; false = this one's was ended, and
   * whatever it had claimed is others' now.
   */
  renew(): Promise<boolean>;
  /**
   * Does now what gives something back or ends it, without waiting; where the database is away, retries
   * after each renewal until it succeeds. Forgotten when the lease is lost: it is others' then.
   */
  retryLater(work: () => Promise<unknown>): void;
  /** Gives back every claim. */
  leave(): Promise<void>;
}

/** Seconds that a claim outlives its process. */
export const leaseSeconds = leaseMs / 1000;

/**
 * The most claims to release that are remembered. Others are free for this process, and for all when it ends.
 * @internal
 */
const mostRetried = 1_000;
const retriedAtOnce = 20;

/** Milliseconds that releasing claims may take. @internal */
const longestRelease = 2_000;

/** SQLSTATE of a foreign key that points nowhere. */
const noSuchWorker = '23503';

export function createWorker(database: Database, label: string): Worker {
  let entered = lazy(enter);
  /** Others are left alone until then: after an outage, they need time to renew their leases, too. */
  let sparedUntil = 0;
  const unfinished = new Set<() => Promise<unknown>>();

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    unfinished.delete(work);
    await work().catch(() => unfinished.size < mostRetried && unfinished.add(work));
  }

  /** A few at once, so that what piled up in an outage leaves room for requests. */
  async function retryUnfinished(): Promise<void> {
    const due = [...unfinished];
    for (let start = 0; start < due.length; start += retriedAtOnce) {
      await Promise.all(due.slice(start, start + retriedAtOnce).map(attempt));
    }
  }

  async function enter(): Promise<string> {
    const name = randomUUID();
    await query(database, 'enter as a worker')`
      insert into msgsite.workers (id, label, lease_until)
      values (${name}, ${label}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))`;
    return name;
  }

  async function prolong(name: string): Promise<boolean> {
    const [row] = await query<{ wasValid: boolean }>(database, 'renew a lease')`
      with mine as materialized (
        select id, lease_until > clock_timestamp() as was_valid from msgsite.workers
        where id = ${name} for update
      )
      update msgsite.workers as workers
      set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from mine where workers.id = mine.id
      returning mine.was_valid`;
    if (row && !row.wasValid) sparedUntil = performance.now() + leaseSeconds * 1000;
    return row !== undefined;
  }

  /** Forgets a lost lease, unless the process has already entered again. */
  function forget(lost: typeof entered): void {
    if (entered === lost) entered = lazy(enter);
  }

  return {
    id: () => entered.get(),
    async claim(claim) {
      const mine = entered;
      try {
        return await claim(await mine.get());
      } catch (error) {
        if (systemErrorCode(error) !== noSuchWorker) throw error;
        forget(mine);
        return claim(await entered.get());
      }
    },
    async renew() {
      const mine = entered;
      if (!(await prolong(await mine.get()))) {
        forget(mine);
        unfinished.clear();
        return false;
      }
      await retryUnfinished();
      if (performance.now() >= sparedUntil) {
        await query(database, 'end the leases of processes that died')`
          delete from msgsite.workers where lease_until <= clock_timestamp()`;
      }
      return true;
    },
    retryLater(work) {
      void attempt(work);
    },
    async leave() {
      unfinished.clear();
      const name = await entered.made();
      entered = lazy(enter);
      if (name === undefined) return;
      const leaving = database
        .run('leave', (sql) => sql`delete from msgsite.workers where id = ${name}`)
        .catch(() => {});
      // Where the database is away, the lease ends by itself: stopping need not wait for it.
      await Promise.race([leaving, delay(longestRelease, undefined, { ref: false })]);
    },
  };
}

/**
 * A worker that renews its lease automatically from its first claim until it leaves, for a command that has
 * nobody else to do so: what it has claimed stays its own however slow a provider or a receiver is.
 */
export function keepLease(worker: Worker, clock: Clock): Worker {
  let renewing: ReturnType<typeof startEvery> | undefined;

  function begin(): void {
    // A database that is away takes no claims either; whoever uses one says so.
    const onError = () => {};
    renewing ??= startEvery(renewEvery, worker.renew, { clock, sleepFirst: true, onError });
  }

  return {
    ...worker,
    id() {
      begin();
      return worker.id();
    },
    claim(claim) {
      begin();
      return worker.claim(claim);
    },
    async leave() {
      await renewing?.stop();
      renewing = undefined;
      await worker.leave();
    },
  };
}
