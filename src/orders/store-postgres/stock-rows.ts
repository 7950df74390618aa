import type { TransactionSql } from '../../storage/postgres/sql.js';
import type { Left, OrderItem } from '../order.js';
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

/** Takes the pieces of a paid order; returns its items, with those marked of which there were too few. */
export async function takeFromStock(
  sql: TransactionSql,
  items: readonly OrderItem[],
): Promise<OrderItem[]> {
  const oversold = new Set<OrderItem>();
  // In one order for all transactions, so that two baskets never wait for each other.
  for (const item of [...items].sort((a, b) => a.productId - b.productId)) {
    const count = await lockCount(sql, item.productId);
    if (count === null) continue;
    const taken = takePieces(count, item.quantity);
    await setCount(sql, item.productId, taken.left);
    if (taken.oversold) oversold.add(item);
  }
  return items.map((item) => ({ ...item, oversold: oversold.has(item) }));
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
