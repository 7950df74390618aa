import type { Database } from './database.js';
import { query } from './query.js';

/**
 * Finds out by writing whether the database can be used: a message in its log (WAL), which no table grows by. What
 * only reads (a standby), has no room for its log or waits for a standby that is away does not confirm it, nor does an
 * empty database in the place of the one that was there.
 */
export async function probeDatabase(database: Pick<Database, 'run'>): Promise<void> {
  await query(database, 'probe')`
    select pg_logical_emit_message(true, 'msgsite', '')
    where exists (select from msgsite.migrations)`;
}
