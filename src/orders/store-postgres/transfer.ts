import type { Order, Stock } from '#validators/order-records';
import { type PostgresRecords, tableRecords } from '../../storage/postgres/record-table.js';
import { valuesOf } from '../../storage/postgres/sql.js';
import { keyRows, type OrderRow, orderRow } from './order-rows.js';

/** The records of orders and counts. The orders themselves say which keys identify them. */
export const postgresOrderRecords: readonly PostgresRecords[] = [
  { ...orders(), insert: insertOrders },
  tableRecords<Stock, Stock>({
    kind: 'stock',
    table: 'msgsite.stock',
    select: (sql) => sql`
      select product_id, pieces as "left" from msgsite.stock
      where pieces is not null order by product_id`,
    toRecord: ({ productId, left }) => ({ productId, left }),
    toRow: ({ productId, left }) => ({ productId, pieces: left }),
  }),
];

function orders() {
  return tableRecords<OrderRow, Order>({
    kind: 'order',
    table: 'msgsite.orders',
    select: (sql) => sql`
      select record from msgsite.orders
      order by ended_at is not null,
        case when ended_at is not null
          then (to_timestamp(created_at / 1000.0) at time zone 'UTC')::date end,
        id`,
    toRecord: ({ record }) => record,
    toRow: orderRow,
  });
}

/** Inserts orders and their keys; if several orders have one key, it identifies the latest. */
async function insertOrders(
  ...[sql, records]: Parameters<PostgresRecords['insert']>
): Promise<void> {
  await orders().insert(sql, records);
  const latest = new Map<string, ReturnType<typeof keyRows>[number]>();
  for (const row of keyRows(records as readonly Order[])) {
    const known = latest.get(row.keyHash);
    if (!known || known.expiresAt < row.expiresAt) latest.set(row.keyHash, row);
  }
  if (latest.size === 0) return;
  await sql`
    insert into msgsite.order_keys ${valuesOf([...latest.values()])}
    on conflict (key_hash) do update
      set order_id = excluded.order_id, expires_at = excluded.expires_at, ran_at = excluded.ran_at
    where order_keys.expires_at < excluded.expires_at`;
}
