import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { recentRunningTimes } from '../../base/running-time.js';
import type { Database } from './database.js';
import { type Fragment, identifier, part } from './sql.js';

/** A table whose rows expire at the time in an indexed column. */
export interface ExpiringTable {
  readonly table: string;
  readonly column: string;
  /** Time for which rows are stored after they expire, in milliseconds; 0 by default. */
  readonly keptMs?: number;
}

interface SweeperOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Tables of the features. */
  readonly tables: readonly ExpiringTable[];
  /** Further clean-up functions of the features. Each runs until it is done or the signal aborts. */
  readonly sweeps?: readonly ((database: Database, signal: AbortSignal) => Promise<void>)[];
}

const sweepEvery = 600_000;
/** A full bucket is equivalent to no row. */
const rateLimits: ExpiringTable = { table: 'msgsite.rate_limits', column: 'full_at' };

/**
 * Removes expired rows at intervals until it is stopped. Every process does this. After one has deleted the rows, the
 * others only read an index.
 */
export function startSweeper({ database, clock, log, tables, sweeps = [] }: SweeperOptions) {
  async function sweep(signal: AbortSignal): Promise<void> {
    await sweepExpired({ database, clock, tables }, signal);
    for (const each of sweeps) await each(database, signal);
  }
  const onError = (err: unknown) =>
    log.warn({ err }, 'Expired rows could not be removed. msgsite will retry.');
  return startEvery(sweepEvery, sweep, { clock, onError });
}

/** Removes expired rows of `tables` and full rate limits. Returns the number of rows. */
export async function sweepExpired(
  { database, clock, tables }: Omit<SweeperOptions, 'log' | 'sweeps'>,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now();
  let removed = 0;
  for (const { table, column, keptMs = 0 } of [...tables, rateLimits]) {
    const expired = { table, column, before: after(now - keptMs) };
    for await (const { length } of removeRows({
      database,
      name: 'remove expired rows',
      ...expired,
    })) {
      removed += length;
      if (signal?.aborted) return removed;
    }
  }
  return removed;
}

/** Returns the next millisecond. Stored times are whole milliseconds, so rows before it include those of `time`. */
function after(time: number): Date {
  return new Date(time + 1);
}

interface KeyTable {
  readonly database: Pick<Database, 'run'>;
  /** Has the columns `expires_at`, with an index, and `ran_at`. */
  readonly table: string;
  /** The statement's name in errors. */
  readonly statement: string;
  /** Lifetime of a key, in milliseconds. */
  readonly life: number;
  readonly clock: Pick<Clock, 'ranFor'>;
}

/** Removes keys that have expired by `now` (milliseconds since the epoch) and by running time. Skips locked rows. */
export async function removeExpiredKeys(
  { database, table, statement: name, life, clock }: KeyTable,
  now: number,
): Promise<void> {
  const { from, to } = recentRunningTimes(life, clock);
  const where = part`and coalesce(ran_at not between ${from} and ${to}, true)`;
  const expired = { table, column: 'expires_at', before: after(now), where };
  for await (const _ of removeRows({ database, name, ...expired }));
}

interface OldRows {
  readonly database: Pick<Database, 'run'>;
  /** Name of the statement in the log. */
  readonly name: string;
  readonly table: string;
  /** An indexed column with a time. */
  readonly column: string;
  /** Removes rows with an earlier time. */
  readonly before: Date;
  /** A further condition, which starts with `and`. */
  readonly where?: Fragment;
}

/** Number of rows that one statement removes, so that no statement holds locks for long. */
const batchRows = 500;

/**
 * Removes old rows in batches, and yields their times. They are selected by position (`ctid`), so that the planner
 * never reads a whole table. Locked rows are skipped, so that a removal cannot cause a deadlock.
 */
export async function* removeRows({
  database,
  name,
  table,
  column,
  before,
  where = part``,
}: OldRows): AsyncGenerator<readonly { readonly time: string }[]> {
  const isOld = part`${identifier(column)} < ${before} ${where}`;
  yield* pagesOf(batchRows, () =>
    database.run(
      name,
      (sql) => sql<{ time: string }[]>`
        delete from ${identifier(table)} where ctid = any(array(
          select ctid from ${identifier(table)} where ${isOld}
          order by ${identifier(column)} limit ${batchRows} for update skip locked)) and ${isOld}
        returning ${identifier(column)} as time`,
    ),
  );
}

/**
 * Yields rows in pages of at most `size`, until a page is not full. `read` returns the page after the last row of the
 * previous page.
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
