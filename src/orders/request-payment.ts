import { createRecent } from '../base/recent.js';
import { isUnmade, type Order } from './order.js';
import { isRefusal, unavailable } from './refusals.js';
import type { OrderStore } from './store.js';
import type { Till, TillCashier } from './till.js';

export interface RequestPaymentOptions {
  readonly store: OrderStore;
  readonly till?: Till | undefined;
}

export type RequestPayment = ReturnType<typeof createRequestPayment>;

/** How long after a request for an order's payment a repeat may request it again, in milliseconds. */
const askAgainAfter = 5_000;
/** The most orders remembered whose payment was requested a moment ago, so that a repeat does not request it again. */
const maxRemembered = 10_000;

/** Returns the functions that request the payments of orders. Both return the order as it is then stored. */
export function createRequestPayment({ store, till }: RequestPaymentOptions) {
  const asked = createRecent<string, true>({ most: maxRemembered, ttl: askAgainAfter });

  /** Requests the payment. If the provider refuses, the order is removed and its key is free. */
  async function ask(order: Order, cashier: TillCashier) {
    asked.set(order.id, true);
    try {
      return await cashier.createQr(order);
    } catch (error) {
      if (isRefusal(error)) await store.remove(order.id);
      throw error;
    }
  }

  const current = async (order: Order) => (await store.find(order.id)) ?? order;

  /** Stores in the order whose payment it will be, before the request: a repeat must never ask another organization. */
  async function assign(order: Order, { organizationId, profileId }: TillCashier): Promise<Order> {
    if (order.organizationId === organizationId && order.profileId === profileId) return order;
    const assigned = await store.change(order.id, (kept) =>
      isUnmade(kept) ? { ...kept, organizationId, profileId } : undefined,
    );
    return assigned ?? order;
  }

  return {
    /** Requests the payment of a new order from the first cashier whose session has not ended. */
    async first(order: Order, cashiers: readonly TillCashier[]): Promise<Order> {
      for (const cashier of cashiers) {
        const outcome = await ask(await assign(order, cashier), cashier);
        if (outcome !== 'signed_out') return current(order);
      }
      await store.remove(order.id);
      throw unavailable();
    },
    /**
     * Requests the payment of an order that a repeated request finds without one, because its process may have died
     * before. Only cashiers of the same organization are asked, so that the provider recognizes the repeat.
     */
    async again(order: Order): Promise<Order> {
      if (!isUnmade(order) || !till || asked.has(order.id)) return order;
      for (const cashier of await till.cashiers(order.organizationId)) {
        if ((await ask(order, cashier)) !== 'signed_out') break;
      }
      return current(order);
    },
  };
}
