import type { TransactionSql } from '../../storage/postgres/sql.js';
import type { Left, Order } from '../order.js';
import { takePieces } from '../stock.js';

interface CountRow {
  readonly pieces: Left;
}

/** The count of a product, which nobody else changes until the transaction ends; null where there is none. */
async function lockCount(sql: TransactionSql, productId: number): Promise<Left> {
  const [row] = await sql<CountRow[]>`
    select pieces from msgsite.stock where product_id = ${productId} for update`;
  return row?.pieces ?? null;
}

async function setCount(sql: TransactionSql, productId: number, pieces: Left): Promise<void> {
  await sql`update msgsite.stock set pieces = ${pieces} where product_id = ${productId}`;
}

/** Takes the pieces of an order that was paid; true where there were fewer. */
export async function takeFromStock(
  sql: TransactionSql,
  { productId, quantity }: Pick<Order, 'productId' | 'quantity'>,
): Promise<boolean> {
  const count = await lockCount(sql, productId);
  const { left, oversold } = takePieces(count, quantity);
  if (left !== count) await setCount(sql, productId, left);
  return oversold;
}

/** Changes a count, also one that was not there: two who begin to count a product wait for each other. */
export async function changeCount(
  sql: TransactionSql,
  productId: number,
  change: (left: Left) => Left,
): Promise<{ readonly isChanged: boolean; readonly left: Left }> {
  await sql`
    insert into msgsite.stock (product_id) values (${productId}) on conflict do nothing`;
  const before = await lockCount(sql, productId);
  const left = change(before);
  await setCount(sql, productId, left);
  return { isChanged: left !== before, left };
}
