import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { recentRunningTimes } from '../../base/running-time.js';
import type { Database } from './database.js';
import { identifier } from './sql.js';

/** A table whose rows mean nothing any more once the time in a column, which has an index, has come. */
export interface ExpiringTable {
  readonly table: string;
  readonly column: string;
  /** Milliseconds for which they are kept from then on; none by default. */
  readonly keptMs?: number;
}

interface SweeperOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the features keep for a time only. */
  readonly tables: readonly ExpiringTable[];
  /** What else they clean up from time to time, until it is done or the signal aborts. */
  readonly sweeps?: readonly ((database: Database, signal: AbortSignal) => Promise<void>)[];
}

const sweepEvery = 600_000;
/** Rows deleted by one statement, so that none holds locks for long. */
const batchRows = 1_000;
/** Full rate limits are the same as none. */
const rateLimits: ExpiringTable = { table: 'msgsite.rate_limits', column: 'full_at' };

/**
 * Removes rows that have expired, from time to time, until it is stopped. Every process does this; what
 * one has deleted costs the others one read of an index.
 */
export function startSweeper({ database, clock, log, tables, sweeps = [] }: SweeperOptions) {
  async function sweep(signal: AbortSignal): Promise<void> {
    await sweepExpired({ database, clock, tables }, signal);
    for (const each of sweeps) await each(database, signal);
  }
  const onError = (err: unknown) =>
    log.warn({ err }, 'Expired rows could not be removed; it is tried again.');
  return startEvery(sweepEvery, sweep, { clock, onError });
}

/**
 * Removes what has expired in `tables` and full rate limits; gives how many rows. They are found by their
 * position (`ctid`), for which no table size makes the planner read the whole table. What somebody else has locked
 * waits until the next time, so that a sweep keeps nobody waiting for one who waits for it.
 */
export async function sweepExpired(
  { database, clock, tables }: Omit<SweeperOptions, 'log' | 'sweeps'>,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now();
  let removed = 0;
  for (const { table, column, keptMs = 0 } of [...tables, rateLimits]) {
    const until = new Date(now - keptMs);
    const deletions = pagesOf(batchRows, () =>
      database.run(
        'remove what has expired',
        (sql) => sql`
          delete from ${identifier(table)} where ctid = any(array(
            select ctid from ${identifier(table)} where ${identifier(column)} <= ${until}
            order by ${identifier(column)} limit ${batchRows} for update skip locked)) and ${identifier(column)} <= ${until}
          returning 1`,
      ),
    );
    for await (const { length } of deletions) {
      removed += length;
      if (signal?.aborted) return removed;
    }
  }
  return removed;
}

interface KeyTable {
  readonly database: Pick<Database, 'run'>;
  /** Has the columns `expires_at`, with an index, and `ran_at`. */
  readonly table: string;
  /** The statement's name in errors. */
  readonly statement: string;
  /** Milliseconds for which a key counts. */
  readonly life: number;
  readonly clock: Pick<Clock, 'ranFor'>;
}

/** Rows removed by one statement. */
const batch = 500;

/** Removes keys that have expired by `now` (milliseconds since the epoch) and by running time. Locked rows stay. */
export async function removeExpiredKeys(
  { database, table, statement, life, clock }: KeyTable,
  now: number,
): Promise<void> {
  const until = new Date(now);
  const { from, to } = recentRunningTimes(life, clock);
  await removeInBatches(batch, () =>
    database.run(
      statement,
      (sql) => sql`
        delete from ${identifier(table)} where ctid = any(array(
          select ctid from ${identifier(table)}
          where expires_at <= ${until} and coalesce(ran_at not between ${from} and ${to}, true)
          order by expires_at limit ${batch} for update skip locked))
          and expires_at <= ${until} and coalesce(ran_at not between ${from} and ${to}, true)
        returning 1`,
    ),
  );
}

/**
 * Rows in pages of at most `size`, until one is not full. `read` gives the page behind the last row of
 * the page before it.
 */
export async function* pagesOf<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (let count = size; count === size; ) {
    const rows = await read(last);
    count = rows.length;
    last = rows.at(-1);
    if (count > 0) yield rows;
  }
}

/**
 * Removes rows in batches of at most `size` until a batch is not full, and returns how many rows were removed. `remove`
 * removes one batch and returns its rows.
 */
async function removeInBatches(
  size: number,
  remove: () => Promise<readonly unknown[]>,
): Promise<number> {
  let removed = 0;
  for await (const { length } of pagesOf(size, remove)) removed += length;
  return removed;
}
