import { join } from 'node:path';
import { hasExpired } from '../../base/running-time.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { openRecordFolder, type RecordFolder } from '../../storage/json/records/record-folder.js';
import { compareNewestFirst, dayText, isKeyAlive, keyLife, type Order } from '../order.js';
import type { OrderState } from '../records.js';
import type { OrderPage, OrderPageQuery, OrderStore } from '../store.js';
import type { JsonOrderStoreOptions } from './options.js';
import { type KeptKey, keyPlan, orderPlan } from './plans.js';
import { openJsonStockStore } from './stock-store.js';

/**
 * Opens the store of orders, their keys and the stock, one file each, which processes share through the data folder.
 * Changes by other processes are not reported.
 */
export async function openJsonOrderStore(options: JsonOrderStoreOptions): Promise<OrderStore> {
  const { clock } = options;
  const records = await openRecordFolder({ ...options, plan: orderPlan });
  const find = async (id: string) => (await records.find(id))?.record;
  const keys = await openJsonKeyStore(options);
  const stock = await openJsonStockStore({ ...options, findOrder: find });
  const orderListeners: ((id?: string) => void)[] = [];
  const stockListeners: (() => void)[] = [];

  function emitOrder(id: string): void {
    for (const listener of orderListeners) listener(id);
  }

  function emitStock(): void {
    for (const listener of stockListeners) listener();
  }

  /** Returns true if a key identifies an order that is stored, or can still be stored. */
  async function isValid({ at, ranAt, orderId, order }: KeptKey): Promise<boolean> {
    if (hasExpired({ at, ranAt }, keyLife, clock)) return false;
    return order !== undefined || (await find(orderId)) !== undefined;
  }

  /** Returns the order that a key identifies. Stores it now if the process that took the key died before it could. */
  async function orderOf({ orderId, order }: KeptKey): Promise<Order | undefined> {
    const known = await find(orderId);
    if (known || !order) return known;
    await records.create(orderId, order);
    return find(orderId);
  }

  async function findByKey(keyHash: string): Promise<Order | undefined> {
    const key = await keys.find(keyHash);
    return key && (await isValid(key)) ? orderOf(key) : undefined;
  }

  return {
    async add(order) {
      const { id: orderId, keyHash, createdAt: at, ranAt } = order;
      const own = { orderId, at, ...(ranAt === undefined ? {} : { ranAt }), order };
      // The key is taken first. If this process dies now, the next request with the key stores the order.
      const key = keyHash === null ? own : await keys.take(keyHash, own, isValid);
      const stored = await orderOf(key);
      emitOrder(orderId);
      return stored ?? order;
    },
    find,
    findByKey,
    async change(id, change) {
      let paid: Order | undefined;
      const order = await records.change(id, async (before) => {
        const next = before && change(before);
        if (!before || !next) return { result: before };
        if (next.status !== 'paid' || before.status === 'paid')
          return { record: next, result: next };
        paid = { ...next, items: await stock.take(next) };
        return { record: paid, result: paid };
      });
      emitOrder(id);
      if (paid) {
        emitStock();
        // If this fails, the note that stays is still correct.
        await stock.forget(paid).catch(() => {});
      }
      return order;
    },
    async remove(id) {
      const order = await find(id);
      await records.remove(id);
      if (order?.keyHash) await keys.free(order.keyHash, id);
      emitOrder(id);
    },
    page: (query) => readOrderPage(records, query),
    async removeEndedBefore(day) {
      const mayGo = (order: Order) =>
        dayText(order.endedAt ?? order.createdAt) < day &&
        (order.keyHash === null || !isKeyAlive(order, clock));
      return records.removeBefore('ended', day, async (ids) => {
        const found = await Promise.all(ids.map(find));
        return found.flatMap((order) => (order && mayGo(order) ? [order.id] : []));
      });
    },
    async removeExpiredKeys(now) {
      await keys.removeBefore(dayText(now - keyLife), (kept) => hasExpired(kept, keyLife, clock));
    },
    stock: stock.list,
    leftOf: stock.leftOf,
    async changeLeft(productId, change) {
      const left = await stock.changeLeft(productId, change);
      emitStock();
      return left;
    },
    onOrder: (listener) => void orderListeners.push(listener),
    onStock: (listener) => void stockListeners.push(listener),
    async close() {
      await Promise.all([records.close(), keys.close(), stock.close()]);
    },
  };
}

/**
 * Reads a page of orders. Open orders are read for every page; the days of the others are read from the latest until
 * the page is full.
 */
async function readOrderPage(
  records: Pick<RecordFolder<Order, OrderState>, 'list'>,
  { after, limit }: OrderPageQuery,
): Promise<OrderPage> {
  const found = new Map<string, Order>();
  const isBehind = (order: Order) => !after || compareNewestFirst(after, order) < 0;

  async function isDayWanted(day: string): Promise<boolean> {
    if (after && day > dayText(after.createdAt)) return false;
    const newer = [...found.values()].filter(({ createdAt }) => dayText(createdAt) > day);
    return newer.length <= limit;
  }

  const listing = { latestDaysFirst: true, isDayWanted };
  for await (const { id, record } of records.list(['open', 'ended'], listing)) {
    if (isBehind(record)) found.set(id, record);
  }
  const sorted = [...found.values()].sort(compareNewestFirst);
  return { orders: sorted.slice(0, limit), hasMore: sorted.length > limit };
}

/** Opens the store of keys: one file each, in one folder a day of `keys/`. */
async function openJsonKeyStore(options: JsonOrderStoreOptions) {
  const keys = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'keys'),
    plan: keyPlan,
  });
  return {
    find: async (keyHash: string) => (await keys.find(keyHash))?.record,
    /** Assigns a key to an order, unless it identifies one that `isValid`; returns what the key identifies then. */
    async take(
      keyHash: string,
      record: KeptKey,
      isValid: (kept: KeptKey) => Promise<boolean>,
    ): Promise<KeptKey> {
      for (;;) {
        if (await keys.create(keyHash, record)) return record;
        const holder = await keys.change<KeptKey | undefined>(keyHash, async (kept) => {
          if (!kept || (await isValid(kept))) return { result: kept };
          return { record, result: record };
        });
        if (holder) return holder;
      }
    },
    /** Frees the key of a removed order. A key that another process has claimed is left to that process. */
    async free(keyHash: string, orderId: string): Promise<void> {
      const claimed = await keys.claim(keyHash);
      if (claimed?.record.orderId === orderId) await claimed.remove();
      else await claimed?.release();
    },
    /** Removes expired keys of days before `day` (`YYYY-MM-DD`). Damaged ones stay until a repair sets them aside. */
    removeBefore: (day: string, isKeyOver: (kept: KeptKey) => boolean) =>
      keys.removeBefore('kept', day, async (names) => {
        const found = await Promise.all(names.map((name) => keys.find(name).catch(asDamage)));
        return found.flatMap((each) =>
          each && 'record' in each && isKeyOver(each.record) ? [each.id] : [],
        );
      }),
    close: keys.close,
  };
}
