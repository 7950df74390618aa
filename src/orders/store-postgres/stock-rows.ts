import type { TransactionSql } from '../../storage/postgres/sql.js';
import type { Left, Order } from '../order.js';
import { takePieces } from '../stock.js';

interface CountRow {
  readonly pieces: Left;
}

/** Locks and returns the count of a product; null if it is not counted. */
async function lockCount(sql: TransactionSql, productId: number): Promise<Left> {
  const [row] = await sql<CountRow[]>`
    select pieces from msgsite.stock where product_id = ${productId} for update`;
  return row?.pieces ?? null;
}

async function setCount(sql: TransactionSql, productId: number, pieces: Left): Promise<void> {
  await sql`update msgsite.stock set pieces = ${pieces} where product_id = ${productId}`;
}

/** Takes the pieces of a paid order; returns true if there were too few. */
export async function takeFromStock(
  sql: TransactionSql,
  { productId, quantity }: Pick<Order, 'productId' | 'quantity'>,
): Promise<boolean> {
  const count = await lockCount(sql, productId);
  if (count === null) return false;
  const { left, oversold } = takePieces(count, quantity);
  await setCount(sql, productId, left);
  return oversold;
}

/** Changes a count. A missing one is created first, so that two transactions for one new count wait for each other. */
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
