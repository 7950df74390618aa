import type { Product } from '#validators/site';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import {
  assignments,
  identifier,
  json,
  type TransactionSql,
  toStorable,
  valuesOf,
} from '../../storage/postgres/sql.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { type DeletedOptions, mostDeleted } from '../content.js';
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

type NewProduct = Omit<Product, 'id' | 'order'>;

/** Rows of one statement, which takes a fraction of the time that a statement has. */
const batchRows = 1_000;

/** A list is stored as JSON; the other columns are what they are. */
export function toRow<Fields extends Partial<Product>>(fields: Fields) {
  const { features } = fields;
  return {
    ...fields,
    ...(features ? { features: json(features) } : {}),
  };
}

/** Adds a product behind the last. */
export async function addProduct(sql: TransactionSql, fields: NewProduct): Promise<Product> {
  const row = { ...toRow(fields), order: await nextOrder(sql) };
  const [product] = await sql<Product[]>`insert into msgsite.products ${valuesOf(row)} returning *`;
  if (!product) throw new Error('The new product is gone.');
  return product;
}

/** Adds any number of products behind the last, in their order. */
export async function addProducts(
  sql: TransactionSql,
  added: readonly NewProduct[],
): Promise<void> {
  const first = await nextOrder(sql);
  const rows = added.map((fields, index) => ({ ...toJsonRow(fields), order: first + index }));
  for (const some of batchesOf(rows)) {
    await sql`
      insert into msgsite.products (name, tagline, description, price, image, features, category, "order")
      select name, tagline, description, price, image, features::json, category, "order"
      from json_to_recordset(${json(some)}) as given (name text, tagline text,
        description text, price float8, image text, features text, category text, "order" float8)
      order by "order"`;
  }
}

/** Makes products that there are what is given. */
export async function changeProducts(
  sql: TransactionSql,
  changed: readonly Product[],
): Promise<void> {
  for (const some of batchesOf(changed.map(toJsonRow))) {
    await sql`
      update msgsite.products set name = given.name, tagline = given.tagline,
        description = given.description, price = given.price, image = given.image,
        features = given.features::json, category = given.category, "order" = given."order"
      from json_to_recordset(${json(some)}) as given (id bigint, name text,
        tagline text, description text, price float8, image text, features text, category text,
        "order" float8)
      where products.id = given.id`;
  }
}

/** Texts as columns hold them, and the list as the text of its JSON: one parameter for many rows. */
function toJsonRow<Fields extends NewProduct>({ features, ...fields }: Fields) {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? toStorable(value) : value,
  ]);
  return { ...Object.fromEntries(texts), features: JSON.stringify(features) };
}

function* batchesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
}

/** The order after the last. */
async function nextOrder(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ next: number }[]>`
    select greatest(0, max("order")) + 1 as next from msgsite.products`;
  return row?.next ?? 1;
}
