import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { RateLimiter } from '../base/rate-limit.js';
import type { Waits } from '../base/waits.js';
import { createCreateOrder, type SoldProduct, type Wanted } from './create-order.js';
import { createKeyedOrders } from './keyed-orders.js';
import type { Left, Order } from './order.js';
import { createOrderWaits, type Patience } from './order-waits.js';
import { createRequestPayment } from './request-payment.js';
import type { OrderStore } from './store.js';
import type { Till } from './till.js';
import { type OrderView, orderView } from './views.js';

export interface OrdersOptions {
  readonly store: OrderStore;
  /** `not_found` where there is none of this id. */
  findProduct(id: number): Promise<SoldProduct>;
  /** Absent where this process takes no payments: orders can be read then. */
  readonly till?: Till | undefined;
  readonly rateLimiter: RateLimiter;
  /** One count of held requests for all features. */
  readonly waits: Waits;
  readonly clock: Clock;
}

/** What visitors and the shop do with orders. Unknown ids are `not_found`. */
export type Orders = ReturnType<typeof createOrders>;

export function createOrders(options: OrdersOptions) {
  const { store, findProduct } = options;
  const requestPayment = createRequestPayment(options);
  const createOrder = createCreateOrder({ ...options, requestPayment });
  const requestOrder = createKeyedOrders({ store, createOrder, requestPayment });
  const untilChanged = createOrderWaits(options);

  async function find(id: string): Promise<Order> {
    const order = await store.find(id);
    if (!order) throw new AppError('not_found', 'There is no such order.');
    return order;
  }

  return {
    /**
     * Orders a product and has the payment made; the order as it is now where the key (empty for none) stands for one.
     * `address`: whose limit it counts against. `not_found`, `not_for_sale`, `payments_unavailable`, `rate_limited`,
     * `provider_error` and `conflict` (the key stands for another order).
     */
    async create(wanted: Wanted, key: string, address: string): Promise<OrderView> {
      return orderView(await requestOrder(wanted, { key, address }));
    },
    find: async (id: string): Promise<OrderView> => orderView(await find(id)),
    /**
     * The order once its status has changed, or as it is after so many seconds. `rate_limited` where too many wait.
     */
    async wait(
      id: string,
      seconds: number,
      { signal, address }: Pick<Patience, 'signal' | 'address'>,
    ): Promise<OrderView> {
      const order = await find(id);
      return orderView(await untilChanged(order, { wait: seconds * 1_000, signal, address }));
    },
    /** A page of all orders, newest first, behind the order with the id `after`. */
    async page({ after, limit }: { readonly after?: string | undefined; readonly limit: number }) {
      return store.page({ after: after === undefined ? undefined : await find(after), limit });
    },
    /** How many pieces are left of every product whose pieces are counted. */
    async stock(): Promise<ReadonlyMap<number, number>> {
      return new Map((await store.stock()).map(({ productId, left }) => [productId, left]));
    },
    async leftOf(productId: number): Promise<Left> {
      await findProduct(productId);
      return store.leftOf(productId);
    },
    /** `assertIs` is given the count as it is, and throws where it must not be changed. */
    async changeLeft(productId: number, left: Left, assertIs: (now: Left) => void): Promise<Left> {
      await findProduct(productId);
      return store.changeLeft(productId, (now) => {
        assertIs(now);
        return left;
      });
    },
  };
}
