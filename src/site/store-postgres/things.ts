import type { Product } from '#validators/site';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import {
  assignments,
  identifier,
  json,
  type TransactionSql,
  valuesOf,
} from '../../storage/postgres/sql.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { type DeletedOptions, maxDeleted } from '../content.js';
import type { Assert, Restored } from '../store.js';

interface ThingsOptions<Thing> extends DeletedOptions {
  readonly database: Database;
  /** The noun for an item in statement names. */
  readonly noun: string;
  readonly table: string;
  /** The table of deleted items. */
  readonly deletedTable: string;
  toRow(fields: Partial<Thing>): object;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `work` in a transaction that increments the site's version. */
  change<Result>(name: string, work: (sql: TransactionSql) => Promise<Result>): Promise<Result>;
}

const deletedTables = ['msgsite.deleted_products', 'msgsite.deleted_announcements'];

/** Returns the tables from which the sweeper removes items that can no longer be restored. */
export function expiringSiteTables({ keepDeletedMs }: DeletedOptions): readonly ExpiringTable[] {
  if (keepDeletedMs === Number.POSITIVE_INFINITY) return [];
  return deletedTables.map((table) => ({ table, column: 'deleted_at', keptMs: keepDeletedMs }));
}

/** Returns the operations that products and announcements share. */
export function thingsIn<Thing extends { readonly id: number }>(options: ThingsOptions<Thing>) {
  const { database, noun, toRow, now, change } = options;
  const table = identifier(options.table);
  const deleted = identifier(options.deletedTable);
  /** Returns the time of deletion after which an item can be restored. */
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
        // This transaction has locked the site's row, so no other transaction can change the item.
        const [current] = assert ? await sql<Thing[]>`select * from ${table} where id = ${id}` : [];
        if (current) assert?.(current);
        const row = toRow(changes as Partial<Thing>); // The ID cannot be changed.
        const [changed] = await sql<Thing[]>`
          update ${table} set ${assignments(row)} where id = ${id} returning *`;
        return changed;
      }),
    /** Deletes an item. It can be restored until it expires or newer deleted items reach the maximum. */
    remove: (id: number): Promise<boolean> =>
      change(`remove: ${noun}`, async (sql) => {
        const [removed] = await sql<Thing[]>`delete from ${table} where id = ${id} returning *`;
        if (!removed) return false;
        const row = { id, deletedAt: new Date(now()), was: json(removed) };
        await sql`insert into ${deleted} ${valuesOf(row)}`;
        await sql`
          delete from ${deleted} where id = any(array(
            select id from ${deleted} order by deleted_at desc, id desc offset ${maxDeleted}))`;
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

type NewProduct = Omit<Product, 'id' | 'order'>;

/** Number of rows per statement of an import. A statement takes a fraction of its time limit. */
const batchRows = 1_000;

/** Returns a product's columns. The features are JSON. */
export function toRow<Fields extends Partial<Product>>(fields: Fields) {
  const { features } = fields;
  return {
    ...fields,
    ...(features ? { features: json(features) } : {}),
  };
}

/** Adds a product after the last one. */
export async function addProduct(sql: TransactionSql, fields: NewProduct): Promise<Product> {
  const row = { ...toRow(fields), order: await nextOrder(sql) };
  const [product] = await sql<Product[]>`insert into msgsite.products ${valuesOf(row)} returning *`;
  if (!product) throw new Error('The insert returned no product.');
  return product;
}

/** Adds products after the last one, in their order. */
export async function addProducts(
  sql: TransactionSql,
  added: readonly NewProduct[],
): Promise<void> {
  const first = await nextOrder(sql);
  const rows = added.map((fields, index) => ({ ...toRow(fields), order: first + index }));
  for (const some of batchesOf(rows)) await sql`insert into msgsite.products ${valuesOf(some)}`;
}

/** Updates products. */
export async function changeProducts(
  sql: TransactionSql,
  changed: readonly Product[],
): Promise<void> {
  for (const some of batchesOf(changed.map((product) => toRow(product)))) {
    await sql`
      insert into msgsite.products ${valuesOf(some)}
      on conflict (id) do update set name = excluded.name, tagline = excluded.tagline,
        description = excluded.description, price = excluded.price, image = excluded.image,
        features = excluded.features, category = excluded.category, "order" = excluded."order"`;
  }
}

function* batchesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
}

/** Returns the `order` value for a product at the end of the catalogue. */
async function nextOrder(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ next: number }[]>`
    select greatest(0, max("order")) + 1 as next from msgsite.products`;
  return row?.next ?? 1;
}
