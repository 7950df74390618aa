import { join } from 'node:path';
import type { Stock } from '#validators/order-records';
import { systemClock } from '../../base/clock.js';
import { systemFiles } from '../../base/files/file-layer.js';
import type { RecordReader, RecordWriter } from '../../base/records.js';
import { recordsChecker } from '../../storage/json/records/record-checker.js';
import { createRecordReader } from '../../storage/json/records/record-reader.js';
import { readRecords, recordWriter } from '../../storage/json/records/record-transfer.js';
import { isKeyAlive, type Order } from '../order.js';
import { type KeptKey, keyPlan, orderPlan, type StockFile, stockPlan } from './plans.js';

/** Reads the orders and counts of a folder that no process uses. The orders themselves say which keys identify them. */
export function readJsonOrders(folder: string): readonly RecordReader[] {
  return [
    {
      kind: 'order',
      async *read() {
        for await (const { record } of readRecords(folder, orderPlan)) yield record;
      },
    },
    { kind: 'stock', read: () => readStock(folder) },
  ];
}

/** Reads the counts, sorted by product ID, which is not the order of their files. */
async function* readStock(folder: string): AsyncGenerator<Stock> {
  const found: Stock[] = [];
  for await (const { record } of readRecords(join(folder, 'stock'), stockPlan)) {
    if (record.left !== null) found.push(await countOf(folder, record));
  }
  yield* found.sort((a, b) => a.productId - b.productId);
}

/** Returns a count, with the pieces added back that were taken for orders not marked paid. */
async function countOf(folder: string, { productId, left, taken }: StockFile): Promise<Stock> {
  let count = left ?? 0;
  for (const { orderId, pieces } of taken) {
    if ((await findOrder(folder, orderId))?.status !== 'paid') count += pieces;
  }
  return { productId, left: count };
}

async function findOrder(folder: string, id: string): Promise<Order | undefined> {
  const reader = createRecordReader(folder, orderPlan, systemFiles);
  for await (const place of reader.placesOf(id)) return (await reader.readAt(place))?.record;
  return undefined;
}

/**
 * Returns the writers that fill an empty folder of orders. `storedRunningTime` returns the running time stored with
 * them.
 */
export function fillJsonOrders(
  folder: string,
  storedRunningTime: () => Promise<number | undefined>,
): readonly RecordWriter[] {
  return [
    orderWriter(folder, storedRunningTime),
    recordWriter('stock', join(folder, 'stock'), stockPlan, ({ productId, left }: Stock) => [
      String(productId),
      { productId, left, taken: [] },
    ]),
  ];
}

/** Writes orders, and then their valid keys; if several orders have one key, it identifies the latest. */
function orderWriter(
  folder: string,
  storedRunningTime: () => Promise<number | undefined>,
): RecordWriter {
  const keys = new Map<string, KeptKey>();
  let ranFor: number | undefined;
  const clock = { now: systemClock.now, ranFor: () => ranFor };
  const { kind, write } = recordWriter('order', folder, orderPlan, (order: Order) => {
    const { id, keyHash, createdAt: at, ranAt } = order;
    const isLatest = at >= (keys.get(keyHash ?? '')?.at ?? 0);
    if (keyHash !== null && isLatest && isKeyAlive(order, clock)) {
      keys.set(keyHash, { orderId: id, at, ...(ranAt === undefined ? {} : { ranAt }) });
    }
    return [id, order];
  });
  const keyWriter = recordWriter(
    'key',
    join(folder, 'keys'),
    keyPlan,
    ([keyHash, key]: readonly [string, KeptKey]) => [keyHash, key],
  );
  return {
    kind,
    async write(records) {
      ranFor = await storedRunningTime();
      await write(records);
      await keyWriter.write(each(keys));
    },
  };
}

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/** Checks everything in the folder of orders. */
export const orderChecker = recordsChecker('orders', {
  orders: orderPlan,
  'orders/keys': keyPlan,
  'orders/stock': stockPlan,
});
