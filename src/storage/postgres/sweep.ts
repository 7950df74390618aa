import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import type { Sql } from './connect.js';
import type { Database } from './database.js';

interface SweeperOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Removes rows that have expired, from time to time, until it is closed. */
interface Sweeper {
  close(): Promise<void>;
}

const sweepEvery = 600_000;
/** Rows deleted by one statement, so that none holds locks for long. */
const batchRows = 1_000;

/** Every process does this; what one has deleted costs the others an index look-up. */
export function startSweeper({ database, clock, log }: SweeperOptions): Sweeper {
  const closing = new AbortController();
  const sweeping = (async () => {
    while (!closing.signal.aborted) {
      await sweepExpired(database, clock, closing.signal).catch((err) => {
        log.warn({ err }, 'Expired rows could not be removed; it is tried again.');
      });
      await clock.sleep(sweepEvery, closing.signal);
    }
  })();
  return {
    async close() {
      closing.abort();
      await sweeping;
    },
  };
}

/**
 * Removes logged-out tokens, idempotency keys, sign-ins under way and full rate limits that mean nothing any more. The rows
 * are named by their place (`ctid`), which no table size makes the planner read the table for.
 */
export async function sweepExpired(
  database: Database,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const now = new Date(clock.now());
  const deletions: ((sql: Sql) => Promise<{ readonly count: number }>)[] = [
    (sql) => sql`delete from msgsite.revoked_tokens where ctid = any(array(
      select ctid from msgsite.revoked_tokens where expires_at <= ${now}
      order by expires_at limit ${batchRows})) and expires_at <= ${now}`,
    (sql) => sql`delete from msgsite.message_keys where ctid = any(array(
      select ctid from msgsite.message_keys where expires_at <= ${now}
      order by expires_at limit ${batchRows})) and expires_at <= ${now}`,
    (sql) => sql`delete from msgsite.payment_answers where ctid = any(array(
      select ctid from msgsite.payment_answers where expires_at <= ${now}
      order by expires_at limit ${batchRows})) and expires_at <= ${now}`,
    (sql) => sql`delete from msgsite.sign_ins where ctid = any(array(
      select ctid from msgsite.sign_ins where expires_at <= ${now}
      order by expires_at limit ${batchRows})) and expires_at <= ${now}`,
    (sql) => sql`delete from msgsite.rate_limits where ctid = any(array(
      select ctid from msgsite.rate_limits where full_at <= ${now}
      order by full_at limit ${batchRows})) and full_at <= ${now}`,
  ];
  let removed = 0;
  for (const deletion of deletions) {
    for (let count = batchRows; count === batchRows && !signal?.aborted; ) {
      ({ count } = await database.run('remove what has expired', deletion));
      removed += count;
    }
  }
  return removed;
}
