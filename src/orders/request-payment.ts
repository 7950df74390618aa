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

/** Repeated requests have the provider asked for one order no more often than this, in milliseconds. */
const askAgainAfter = 5_000;
/** The most orders remembered whose payment was requested a moment ago, so that a repeat does not request it again. */
const mostRemembered = 10_000;

/** Has the payments of orders made. Both functions give the order as it is stored then. */
export function createRequestPayment({ store, till }: RequestPaymentOptions) {
  const asked = createRecent<string, true>({ most: mostRemembered, ttl: askAgainAfter });

  /** A refused order is none: it goes, and its key is free. */
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

  /** Before anything is asked for, the order says of whom: a repeat must never ask somebody else. */
  async function assign(order: Order, { organizationId, profileId }: TillCashier): Promise<Order> {
    if (order.organizationId === organizationId && order.profileId === profileId) return order;
    const assigned = await store.change(order.id, (kept) =>
      isUnmade(kept) ? { ...kept, organizationId, profileId } : undefined,
    );
    return assigned ?? order;
  }

  return {
    /** For a new order: by the first of the cashiers whose session has not ended. */
    async first(order: Order, cashiers: readonly TillCashier[]): Promise<Order> {
      for (const cashier of cashiers) {
        const outcome = await ask(await assign(order, cashier), cashier);
        if (outcome !== 'signed_out') return current(order);
      }
      await store.remove(order.id);
      throw unavailable();
    },
    /**
     * For an order that a repeated request finds without a payment: its process may have died before it had asked. By
     * cashiers of the same organization only, so that it is asked for again and not a second time.
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
