import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import type { Database } from './database.js';
import { pagesOf } from './pages.js';
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
