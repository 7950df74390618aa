import type { Clock } from '../../base/clock.js';
import { recentRunningTimes } from '../../base/running-time.js';
import type { Database } from './database.js';
import { removeInBatches } from './pages.js';
import { identifier } from './sql.js';

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
