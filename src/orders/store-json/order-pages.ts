import type { RecordFolder } from '../../storage/json/records/record-folder.js';
import { compareNewestFirst, dayText, type Order } from '../order.js';
import type { OrderState } from '../records.js';
import type { OrderPage, OrderPageQuery } from '../store.js';

/**
 * A page of orders. Those that are not over are read at every page; of the others the days of their making are gone
 * through from the latest on, until the page is full.
 */
export async function readOrderPage(
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
