import type { Clock } from '../../base/clock.js';
import { recentRunningTimes } from '../../base/running-time.js';
import { assignments, json, type TransactionSql, valuesOf } from '../../storage/postgres/sql.js';
import { keyLife, type Order } from '../order.js';
import { takeFromStock } from './stock-rows.js';

export interface OrderRow {
  readonly record: Order;
}

/** Returns the row of an order, with the columns by which it is found. */
export function orderRow(order: Order) {
  const { id, createdAt, endedAt } = order;
  return {
    id,
    createdAt,
    endedAt: endedAt === null ? null : new Date(endedAt),
    record: json(order),
  };
}

/** Returns the rows of the orders' keys. */
export function keyRows(orders: readonly Order[]) {
  return orders.flatMap(({ id: orderId, keyHash, createdAt, ranAt = null }) =>
    keyHash === null ? [] : [{ keyHash, orderId, expiresAt: new Date(createdAt + keyLife), ranAt }],
  );
}

/** Stores an order with its key, unless the key still identifies another order. */
export async function addOrder(
  sql: TransactionSql,
  order: Order,
  clock: Pick<Clock, 'now' | 'ranFor'>,
): Promise<{ readonly isChanged: boolean }> {
  const { from, to } = recentRunningTimes(keyLife, clock);
  const [key] = keyRows([order]);
  if (key) {
    // If another transaction is storing an order with this key, this statement waits for its end.
    const taken = await sql`
      insert into msgsite.order_keys ${valuesOf(key)}
      on conflict (key_hash) do update
        set order_id = excluded.order_id, expires_at = excluded.expires_at, ran_at = excluded.ran_at
      where order_keys.expires_at <= ${new Date(clock.now())}
        and coalesce(order_keys.ran_at not between ${from} and ${to}, true)
      returning 1`;
    if (taken.length === 0) return { isChanged: false };
  }
  const added = await sql`
    insert into msgsite.orders ${valuesOf(orderRow(order))} on conflict (id) do nothing returning 1`;
  return { isChanged: added.length > 0 };
}

/** Changes an order. If it becomes paid, its pieces are taken from the stock of the products `takenFrom`. */
export async function changeOrder(
  sql: TransactionSql,
  id: string,
  change: (order: Order) => Order | undefined,
): Promise<{
  readonly isChanged: boolean;
  readonly order?: Order;
  readonly takenFrom: readonly number[];
}> {
  const [row] = await sql<OrderRow[]>`
    select record from msgsite.orders where id = ${id} for update`;
  if (!row) return { isChanged: false, takenFrom: [] };
  const before = row.record;
  const next = change(before);
  if (!next) return { isChanged: false, order: before, takenFrom: [] };
  const isPaidNow = next.status === 'paid' && before.status !== 'paid';
  const order = isPaidNow ? { ...next, items: await takeFromStock(sql, next.items) } : next;
  await sql`update msgsite.orders set ${assignments(orderRow(order))} where id = ${id}`;
  const takenFrom = isPaidNow ? order.items.map(({ productId }) => productId) : [];
  return { isChanged: true, order, takenFrom };
}

/** Removes an order, and its key if that identifies it. */
export async function removeOrder(
  sql: TransactionSql,
  id: string,
): Promise<{ readonly isChanged: boolean }> {
  const [row] = await sql<OrderRow[]>`
    delete from msgsite.orders where id = ${id} returning record`;
  for (const { keyHash } of row ? keyRows([row.record]) : []) {
    await sql`
      delete from msgsite.order_keys where key_hash = ${keyHash} and order_id = ${id}`;
  }
  return { isChanged: row !== undefined };
}
