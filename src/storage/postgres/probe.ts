import type { Database } from './database.js';
import { rightsMissing } from './database-errors.js';
import { query } from './query.js';

/**
 * Finds out by writing whether the database can be used: a message in its log (WAL), which no table grows by. What
 * only reads (a standby), has no room for its log or waits for a standby that is away does not confirm it, nor does an
 * empty database in the place of the one that was there. Such a message needs no rights to any table, so these are
 * asked for: the first table that the role may not add to is named. Only its owner has to add to `migrations`.
 */
export async function probeDatabase(database: Pick<Database, 'run'>): Promise<void> {
  const [closed] = await query<{ table: string | null }>(database, 'probe')`
    select (
      select min(relname::text) from pg_catalog.pg_class
      where relnamespace = 'msgsite'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migrations' and not has_table_privilege(oid, 'insert')
    ) as table, pg_logical_emit_message(true, 'msgsite', '')
    where exists (select from msgsite.migrations)`;
  if (!closed?.table) return;
  throw rightsMissing(new Error(`no rights to add to the table ${closed.table}`));
}
