import type { Product } from '#validators/site';
import { json, type TransactionSql, valuesOf } from '../../storage/postgres/sql.js';
import { toStorable } from '../../storage/postgres/storable-text.js';

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
