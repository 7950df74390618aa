import type { Stock } from '#validators/order-records';
import type { Clock } from '../../base/clock.js';
import { recentRunningTimes } from '../../base/running-time.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import type { Notifications } from '../../storage/postgres/notifications.js';
import { createRecordTable } from '../../storage/postgres/record-table.js';
import { part, type TransactionSql } from '../../storage/postgres/sql.js';
import { removeExpiredKeys } from '../../storage/postgres/sweep.js';
import { keyLife, type Left, type Order } from '../order.js';
import type { OrderStore } from '../store.js';
import { addOrder, changeOrder, type OrderRow, orderRow, removeOrder } from './order-rows.js';
import { changeCount } from './stock-rows.js';

/** Returns the store of orders and stock in tables, which all processes share. `clock` follows the database's. */
export function createPostgresOrderStore(database: Database, clock: Clock): OrderStore {
  const changes = createOrderChanges(database.notifications);
  const table = createRecordTable<Order>({
    ...{ database, table: 'msgsite.orders', key: 'id' },
    toRow: orderRow,
  });

  /** Reports a change even if its answer was lost, because it may have been made. */
  async function reporting<Result extends { readonly isChanged: boolean }>(
    report: () => void,
    work: () => Promise<Result>,
  ): Promise<Result> {
    let isChanged = true;
    try {
      const result = await work();
      isChanged = result.isChanged;
      return result;
    } finally {
      if (isChanged) report();
    }
  }

  async function findByKey(keyHash: string): Promise<Order | undefined> {
    const { from, to } = recentRunningTimes(keyLife, clock);
    const [row] = await query<OrderRow>(database, 'order by key')`
      select record from msgsite.order_keys join msgsite.orders on orders.id = order_id
      where key_hash = ${keyHash}
        and (expires_at > ${new Date(clock.now())} or ran_at between ${from} and ${to})`;
    return row?.record;
  }

  const transaction = <Result>(name: string, work: (sql: TransactionSql) => Promise<Result>) =>
    database.transaction(name, work);

  return {
    async add(order) {
      const { id, keyHash } = order;
      for (;;) {
        const { isChanged } = await reporting(
          () => changes.reportOrder(id),
          () => transaction('add an order', (sql) => addOrder(sql, order, clock)),
        );
        if (isChanged) return order;
        const other = keyHash === null ? await table.find(id) : await findByKey(keyHash);
        // Otherwise the other order was removed or its key expired meanwhile: the key is free.
        if (other) return other;
      }
    },
    find: table.find,
    findByKey,
    async change(id, change) {
      const changed = await reporting(
        () => changes.reportOrder(id),
        () => transaction('change an order', (sql) => changeOrder(sql, id, change)),
      );
      for (const productId of changed.takenFrom) changes.reportStock(productId);
      return changed.order;
    },
    async remove(id) {
      await reporting(
        () => changes.reportOrder(id),
        () => transaction('remove an order', (sql) => removeOrder(sql, id)),
      );
    },
    async page({ after, limit }) {
      const rows = await database.run('page of orders', (sql) => {
        const behind = after
          ? sql`where (created_at, id) < (${after.createdAt}, ${after.id})`
          : sql``;
        return sql<OrderRow[]>`
          select record from msgsite.orders ${behind}
          order by created_at desc, id desc limit ${limit + 1}`;
      });
      const orders = rows.slice(0, limit).map(({ record }) => record);
      return { orders, hasMore: rows.length > limit };
    },
    async removeEndedBefore(day) {
      // With a subquery for each order, the planner never reads all keys.
      const isWithoutKey = part`
        and (select key_hash from msgsite.order_keys where order_id = orders.id limit 1) is null`;
      const { removed } = await table.remove({
        ...{ column: 'ended_at', before: day },
        where: isWithoutKey,
      });
      return removed;
    },
    removeExpiredKeys: (now) =>
      removeExpiredKeys(
        {
          ...{ database, table: 'msgsite.order_keys', statement: 'remove keys of orders' },
          ...{ life: keyLife, clock },
        },
        now,
      ),
    stock: () =>
      query<Stock & { left: number }>(database, 'counts of products')`
        select product_id, pieces as "left" from msgsite.stock
        where pieces is not null order by product_id`,
    async leftOf(productId) {
      const [row] = await query<{ pieces: Left }>(database, 'count of a product')`
        select pieces from msgsite.stock where product_id = ${productId}`;
      return row?.pieces ?? null;
    },
    async changeLeft(productId, change) {
      const { left } = await reporting(
        () => changes.reportStock(productId),
        () => transaction('change a count', (sql) => changeCount(sql, productId, change)),
      );
      return left;
    },
    onOrder: changes.onOrder,
    onStock: changes.onStock,
    async close() {
      changes.close();
    },
  };
}

/** Topics of notifications; their details are an order ID and a product ID. */
const [orderTopic, stockTopic] = ['order', 'stock'];

/**
 * Reports changes of orders and of the stock: those of this process at once, those of others by notification. If a
 * notification may have been missed, every order and count may have changed.
 */
function createOrderChanges(notifications: Pick<Notifications, 'on' | 'onMissed' | 'send'>) {
  const orderListeners: ((id?: string) => void)[] = [];
  const stockListeners: (() => void)[] = [];
  let stops: readonly (() => void)[] = [];

  function emitOrder(id?: string): void {
    for (const listener of orderListeners) listener(id);
  }

  function emitStock(): void {
    for (const listener of stockListeners) listener();
  }

  /** Starts at the first listener, because a command without listeners needs no connection for notifications. */
  function listen(): void {
    if (stops.length > 0) return;
    stops = [
      notifications.on(orderTopic, emitOrder),
      notifications.on(stockTopic, emitStock),
      notifications.onMissed(() => {
        emitOrder();
        emitStock();
      }),
    ];
  }

  return {
    onOrder(listener: (id?: string) => void): void {
      orderListeners.push(listener);
      listen();
    },
    onStock(listener: () => void): void {
      stockListeners.push(listener);
      listen();
    },
    /** Reports that this process has changed an order, or may have. */
    reportOrder(id: string): void {
      emitOrder(id);
      notifications.send(orderTopic, id);
    },
    /** Reports that this process has changed the count of a product, or may have. */
    reportStock(productId: number): void {
      emitStock();
      notifications.send(stockTopic, String(productId));
    },
    close(): void {
      for (const stop of stops) stop();
    },
  };
}
