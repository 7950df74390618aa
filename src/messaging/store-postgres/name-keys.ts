import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { nameKey } from './user-rows.js';

/** Rows that are filled in one transaction, so that none holds locks for long. */
const batchRows = 1_000;

/**
 * Fills in what names are searched by where it is missing: in rows of before there was a search. Databases differ
 * in lower case, so it is the program that folds names. Several processes may do it at once, and whoever is killed
 * has left whole batches; resolves when no row is left.
 */
export async function fillNameKeys(database: Database): Promise<void> {
  while (await isAnyMissing(database)) await fillBatch(database);
}

async function isAnyMissing(database: Database): Promise<boolean> {
  const rows = await query(database, 'names without a search key')`
    select from msgsite.users where name_key is null limit 1`;
  return rows.length > 0;
}

/** Locks the rows in one order, so that two processes follow one another. */
function fillBatch(database: Database): Promise<void> {
  return database.transaction('fill in search keys of names', async (sql) => {
    const rows = await sql<{ id: number; username: string; isDeleted: boolean }[]>`
      select id, username, deleted_at is not null as is_deleted from msgsite.users
      where name_key is null order by id limit ${batchRows} for update`;
    const keys = rows.map(({ username, isDeleted }) => (isDeleted ? '' : nameKey({ username })));
    await sql`
      update msgsite.users set name_key = filled.key
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${keys}::text[]) as filled (id, key)
      where users.id = filled.id`;
  });
}
