import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import {
  assignments,
  identifier,
  json,
  type TransactionSql,
  valuesOf,
} from '../../storage/postgres/sql.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { type DeletedOptions, mostDeleted } from '../deleted.js';
import type { Assert, Restored } from '../store.js';

interface ThingsOptions<Thing> extends DeletedOptions {
  readonly database: Database;
  /** What statements call one of them. */
  readonly noun: string;
  readonly table: string;
  /** The table of those that were deleted, each as it was. */
  readonly deletedTable: string;
  toRow(fields: Partial<Thing>): object;
  toRecord(row: Thing): Thing;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Does `work` in a transaction that changes the site. */
  change<Result>(name: string, work: (sql: TransactionSql) => Promise<Result>): Promise<Result>;
}

const deletedTables = ['msgsite.deleted_products', 'msgsite.deleted_announcements'];

/** For the sweeper: what was deleted too long ago. */
export function expiringSiteTables({ keepDeletedMs }: DeletedOptions): readonly ExpiringTable[] {
  if (keepDeletedMs === Number.POSITIVE_INFINITY) return [];
  return deletedTables.map((table) => ({ table, column: 'deleted_at', keptMs: keepDeletedMs }));
}

/** Returns the operations that products and announcements share. */
export function thingsIn<Thing extends { readonly id: number }>(options: ThingsOptions<Thing>) {
  const { database, noun, toRow, toRecord, now, change } = options;
  const table = identifier(options.table);
  const deleted = identifier(options.deletedTable);
  /** What was deleted after this can be restored. */
  const since = () => new Date(Math.max(0, now() - options.keepDeletedMs));

  return {
    async find(id: number): Promise<Thing | undefined> {
      const [found] = await query<Thing>(database, `${noun} by id`)`
        select * from ${table} where id = ${id}`;
      return found;
    },
    change: (
      id: number,
      { id: _, ...changes }: Partial<Thing>,
      assert?: Assert<Thing>,
    ): Promise<Thing | undefined> =>
      change(`change: ${noun}`, async (sql) => {
        // Whoever changes the site holds its row: what is read here is what is changed.
        const [current] = assert ? await sql<Thing[]>`select * from ${table} where id = ${id}` : [];
        if (current) assert?.(current);
        const row = toRow(changes as Partial<Thing>); // The ID cannot be changed.
        const [changed] = await sql<Thing[]>`
          update ${table} set ${assignments(row)} where id = ${id} returning *`;
        return changed;
      }),
    /** Keeps it as it was; of too many that were deleted, the oldest go. */
    remove: (id: number): Promise<boolean> =>
      change(`remove: ${noun}`, async (sql) => {
        const [removed] = await sql<Thing[]>`delete from ${table} where id = ${id} returning *`;
        if (!removed) return false;
        const row = { id, deletedAt: new Date(now()), was: json(toRecord(removed)) };
        await sql`insert into ${deleted} ${valuesOf(row)}`;
        await sql`
          delete from ${deleted} where id = any(array(
            select id from ${deleted} order by deleted_at desc, id desc offset ${mostDeleted}))`;
        return true;
      }),
    restore: (id: number): Promise<Restored<Thing>> =>
      change(`restore: ${noun}`, async (sql): Promise<Restored<Thing>> => {
        const [present] = await sql`select 1 from ${table} where id = ${id}`;
        if (present) return 'present';
        const [row] = await sql<{ was: Thing }[]>`
          delete from ${deleted} where id = ${id} and deleted_at > ${since()} returning was`;
        if (!row) return 'unknown';
        await sql`insert into ${table} ${valuesOf(toRow(row.was))}`;
        return { restored: row.was };
      }),
    async listDeleted(): Promise<readonly Thing[]> {
      const rows = await query<{ was: Thing }>(database, `list deleted: ${noun}`)`
        select was from ${deleted} where deleted_at > ${since()} order by deleted_at, id`;
      return rows.map(({ was }) => was);
    },
  };
}
