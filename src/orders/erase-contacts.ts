import { hasDetails, type Order } from './order.js';
import type { OrderStore } from './store.js';

/** Orders that one step reads. */
const pageSize = 100;

const day = 86_400_000;

/** Time after which the details of a customer whose order was not paid are erased, in milliseconds. */
const unpaidLife = 7 * day;

export interface ErasureOptions {
  readonly store: Pick<OrderStore, 'page' | 'change'>;
  /** Time for which details are kept after an order was completed or cancelled, in milliseconds. */
  readonly life: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Erases the contacts, addresses and notes whose time is up, and returns the number of these orders. */
export async function eraseContacts(options: ErasureOptions): Promise<number> {
  const { store, signal } = options;
  let erased = 0;
  let after: Order | undefined;
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    const page = await store.page({ after, limit: pageSize });
    for (const { id } of page.orders.filter((order) => isDue(order, options))) {
      await store.change(id, (order) =>
        isDue(order, options) ? withoutContact(order) : undefined,
      );
      erased += 1;
    }
    after = page.orders.at(-1);
    hasMore = page.hasMore;
  }
  return erased;
}

/** Returns true if an order has details of its customer whose time is up. */
export function isDue(order: Order, { life, now }: Pick<ErasureOptions, 'life' | 'now'>): boolean {
  const { fulfillment, status, changedAt, endedAt } = order;
  if (!hasDetails(order) || endedAt === null) return false;
  if (status !== 'paid') return now - endedAt >= unpaidLife;
  const isClosed = fulfillment.status === 'completed' || fulfillment.status === 'cancelled';
  return isClosed && now - changedAt >= life;
}

function withoutContact({ contact: _, ...order }: Order): Order {
  return { ...order, note: '', fulfillment: { ...order.fulfillment, address: null } };
}
