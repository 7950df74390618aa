import { identifier, json, type TransactionSql, valuesOf } from '../../storage/postgres/sql.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { type DeletedOptions, mostDeleted } from '../deleted.js';

/** A table of deleted things, each as it was. */
type DeletedTable = 'msgsite.deleted_products' | 'msgsite.deleted_announcements';

/** For the sweeper: what was deleted too long ago. */
export function expiringSiteTables({ keepDeletedMs }: DeletedOptions): readonly ExpiringTable[] {
  if (keepDeletedMs === Number.POSITIVE_INFINITY) return [];
  const tables: readonly DeletedTable[] = [
    'msgsite.deleted_products',
    'msgsite.deleted_announcements',
  ];
  return tables.map((table) => ({ table, column: 'deleted_at', keptMs: keepDeletedMs }));
}

/** Keeps a thing as it was when it was deleted, `now`; of too many the oldest go. */
export async function keepDeleted(
  sql: TransactionSql,
  { table, was, now }: { table: DeletedTable; was: { readonly id: number }; now: number },
): Promise<void> {
  const row = { id: was.id, deletedAt: new Date(now), was: json(was) };
  await sql`insert into ${identifier(table)} ${valuesOf(row)}`;
  await sql`
    delete from ${identifier(table)} where id = any(array(
      select id from ${identifier(table)} order by deleted_at desc, id desc offset ${mostDeleted}))`;
}

/** Takes a thing out that was deleted after `since`; undefined where there is none. */
export async function takeDeleted<Thing>(
  sql: TransactionSql,
  { table, id, since }: { table: DeletedTable; id: number; since: Date },
): Promise<Thing | undefined> {
  const [row] = await sql<{ was: Thing }[]>`
    delete from ${identifier(table)} where id = ${id} and deleted_at > ${since} returning was`;
  return row?.was;
}
