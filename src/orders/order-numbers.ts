import type { StateStore } from '../base/state.js';
import type { OrderStore } from './store.js';

interface OrderNumberOptions {
  readonly state: StateStore;
  readonly store: Pick<OrderStore, 'page'>;
}

/** Orders that one step of the search for the highest number reads. */
const pageSize = 100;

/**
 * Returns the function that assigns numbers to orders, from 1, for all processes. A number is never assigned twice;
 * numbers of orders that were not created are missing.
 */
export function createOrderNumbers({ state, store }: OrderNumberOptions) {
  /** Returns the highest number of the stored orders: if the fact was lost, the numbers continue from there. */
  async function highestStored(): Promise<number> {
    let highest = 0;
    for (let after: Parameters<OrderStore['page']>[0]['after']; ; ) {
      const { orders, hasMore } = await store.page({ after, limit: pageSize });
      for (const { number } of orders) highest = Math.max(highest, number);
      after = orders.at(-1);
      if (!hasMore) return highest;
    }
  }

  return async function nextNumber(): Promise<number> {
    const start = (await state.find('orders')) ? 0 : await highestStored();
    const stored = await state.change('orders', (before) => ({
      lastNumber: (before?.lastNumber ?? start) + 1,
    }));
    if (!stored) throw new Error('The number of the order was not stored.');
    return stored.lastNumber;
  };
}
