import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../base/clock.js';
import { systemErrorCode } from '../../base/errors.js';
import { startEvery } from '../../base/every.js';
import { lazy } from '../../base/single-flight.js';
import { leaseMs, renewEvery } from '../lease-times.js';
import type { Database } from './database.js';
import { query } from './database.js';

/** Registers this process in the table `workers`. Its claims are valid as long as its lease. */
export interface Worker {
  /** Returns the name for claims. Registers the process if necessary, for example after the lease was lost. */
  id(): Promise<string>;
  /** Calls `claim`, which stores the name with a statement. Retries once if the lease was lost. */
  claim<Result>(claim: (name: string) => Promise<Result>): Promise<Result>;
  /**
   * Renews the lease and removes expired leases of other processes. Returns false if this process's lease was removed,
   * and with it all its claims.
   */
  renew(): Promise<boolean>;
  /**
   * Starts work that releases or ends a claim, without waiting for it. Retries it after each renewal until it succeeds.
   * Discards it if the lease is lost, because other processes then have the claims.
   */
  retryLater(work: () => Promise<unknown>): void;
  /** Releases every claim. */
  leave(): Promise<void>;
}

/** Duration of a lease after its last renewal, in seconds. */
export const leaseSeconds = leaseMs / 1000;

/**
 * Maximum number of operations that wait for a retry. Further claims end with the process.
 * @internal
 */
const maxRetried = 1_000;
const retryConcurrency = 20;

/** Maximum time for releasing claims, in milliseconds. @internal */
const maxRelease = 2_000;

/** SQLSTATE of a foreign key violation. */
const noSuchWorker = '23503';

export function createWorker(database: Database, label: string): Worker {
  let entered = lazy(enter);
  /** Time until which no leases of other processes are removed, because they must be renewed after an outage. */
  let sparedUntil = 0;
  const unfinished = new Set<() => Promise<unknown>>();

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    unfinished.delete(work);
    await work().catch(() => unfinished.size < maxRetried && unfinished.add(work));
  }

  /** Retries a few operations at a time, so that a backlog from an outage does not delay requests. */
  async function retryUnfinished(): Promise<void> {
    const due = [...unfinished];
    for (let start = 0; start < due.length; start += retryConcurrency) {
      await Promise.all(due.slice(start, start + retryConcurrency).map(attempt));
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

  /** Forgets a lost lease, unless the process has registered again. */
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
      // If the database is unavailable, the lease expires anyway, so stopping need not wait.
      await Promise.race([leaving, delay(maxRelease, undefined, { ref: false })]);
    },
  };
}

/**
 * Returns a worker that renews its lease automatically from its first claim until it leaves. Commands use it to keep
 * their claims even if a provider or receiver is slow.
 */
export function keepLease(worker: Worker, clock: Clock): Worker {
  let renewing: ReturnType<typeof startEvery> | undefined;

  function begin(): void {
    // If the database is unavailable, the code that uses the claims reports that.
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
