import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addressKey } from '../base/addresses.js';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { type Alarm, createAlarm } from '../base/every.js';
import type { RateLimiter } from '../base/rate-limit.js';
import type { Waits } from '../base/waits.js';
import type { Checkout } from './checkout.js';
import type { Basket, CreateOrder } from './create-order.js';
import { createCreateOrder, type SoldProduct } from './create-order.js';
import { type FulfillmentStatus, moved } from './fulfillment.js';
import type { Left, Order, OrderedItem } from './order.js';
import { isClosed, isOver } from './order.js';
import { isSameCustomer } from './read-customer.js';
import type { RequestPayment } from './request-payment.js';
import { createRequestPayment } from './request-payment.js';
import type { OrderStore } from './store.js';
import type { Till } from './till.js';
import { type OrderView, orderView } from './views.js';

export interface OrdersOptions {
  readonly store: OrderStore;
  /** Throws `not_found` if there is no such ID. */
  findProduct(id: number): Promise<SoldProduct>;
  readCheckout(): Promise<Checkout>;
  /** Returns an unused number for people. */
  nextNumber(): Promise<number>;
  /** Absent if this process takes no payments; orders can still be read. */
  readonly till?: Till | undefined;
  readonly rateLimiter: RateLimiter;
  /** Counts the waiting requests of all features together. */
  readonly waits: Waits;
  readonly clock: Clock;
}

/** The operations of visitors and of the shop on orders. Unknown IDs throw `not_found`. */
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
     * Creates an order and its payment. If the key (empty for none) already identifies an order, returns that order as
     * it is now. The order counts against the limit of `address`. Throws `not_found`, `not_for_sale`, `changed`,
     * `payments_unavailable`, `rate_limited`, `provider_error`, or `conflict` if the key identifies a different order.
     */
    async create(basket: Basket, key: string, address: string): Promise<OrderView> {
      return orderView(await requestOrder(basket, { key, address }));
    },
    find: async (id: string): Promise<OrderView> => orderView(await find(id)),
    /**
     * Returns the order once its status has changed, or it `isChanged`, or after `seconds`. Throws `rate_limited` if
     * too many requests wait.
     */
    async wait(
      id: string,
      seconds: number,
      { signal, address, isChanged }: Pick<Patience, 'signal' | 'address' | 'isChanged'>,
    ): Promise<Order> {
      const order = await find(id);
      return untilChanged(order, { wait: seconds * 1_000, signal, address, isChanged });
    },
    /** Returns an order as it is stored, with what only the shop sees. */
    findStored: find,
    /**
     * Moves an order to a status of its fulfillment. `assertIs` gets the current order, and throws to prevent the
     * change. Throws `conflict` if it cannot have the status.
     */
    async moveFulfillment(
      id: string,
      status: FulfillmentStatus,
      assertIs: (now: Order) => void,
    ): Promise<Order> {
      const changed = await store.change(id, (order) => {
        assertIs(order);
        return moved(order, status, options.clock.now());
      });
      return changed ?? find(id);
    },
    /** Returns a page of all orders, newest first, starting after the order with the ID `after`. */
    async page({ after, limit }: { readonly after?: string | undefined; readonly limit: number }) {
      return store.page({ after: after === undefined ? undefined : await find(after), limit });
    },
    /** Returns the signed-in cashiers that can take payments; without any, nothing can be bought. */
    cashiers: async () => (await options.till?.cashiers()) ?? [],
    /** Returns the pieces left of every counted product, by its ID. */
    async stock(): Promise<ReadonlyMap<number, number>> {
      return new Map((await store.stock()).map(({ productId, left }) => [productId, left]));
    },
    async leftOf(productId: number): Promise<Left> {
      await findProduct(productId);
      return store.leftOf(productId);
    },
    /** Sets the count of a product. `assertIs` gets the current count, and throws to prevent the change. */
    async changeLeft(productId: number, left: Left, assertIs: (now: Left) => void): Promise<Left> {
      await findProduct(productId);
      return store.changeLeft(productId, (now) => {
        assertIs(now);
        return left;
      });
    },
  };
}

interface KeyedOrderOptions {
  readonly store: Pick<OrderStore, 'findByKey'>;
  readonly createOrder: CreateOrder;
  readonly requestPayment: RequestPayment;
}

/** The key and the address of a request. */
interface Repeatable {
  /** The client's key; empty for none. */
  readonly key: string;
  readonly address: string;
}

/** Returns the function that creates one order for all equal requests with one key. */
function createKeyedOrders({ store, createOrder, requestPayment }: KeyedOrderOptions) {
  const flights = new Map<string, { basket: Basket; order: Promise<Order> }>();

  async function findOrCreate(basket: Basket, keyHash: string, address: string): Promise<Order> {
    const known = await store.findByKey(keyHash);
    const order = known ?? (await createOrder(basket, { keyHash, address }));
    if (!isSameOrder(order, basket)) throw keyConflict();
    return requestPayment.again(order);
  }

  /** Shares the result of the first request with those that arrive while it runs. */
  async function once(basket: Basket, keyHash: string, address: string): Promise<Order> {
    const flight = flights.get(keyHash);
    if (flight) {
      if (!isDeepStrictEqual(boughtIn(flight.basket), boughtIn(basket))) throw keyConflict();
      return flight.order;
    }
    const order = findOrCreate(basket, keyHash, address).finally(() => flights.delete(keyHash));
    flights.set(keyHash, { basket, order });
    return order;
  }

  /**
   * Returns the new order, or the order that the key identifies as it is now. Throws `conflict` if that is a different
   * order.
   */
  return async function requestOrder(basket: Basket, { key, address }: Repeatable): Promise<Order> {
    if (key === '') return createOrder(basket, { keyHash: null, address });
    return once(basket, hash('sha256', key, 'base64url'), address);
  };
}

/** Returns a basket without the expected amount, which may differ: a repeat does not buy anything. */
function boughtIn({ expectedAmount: _, ...bought }: Basket): Omit<Basket, 'expectedAmount'> {
  return bought;
}

/** Returns true if a basket is what an order was made for, whatever amount was expected. */
function isSameOrder(order: Order, basket: Basket): boolean {
  const isSame = (a: OrderedItem, b: OrderedItem | undefined) =>
    a.productId === b?.productId && a.variantId === b.variantId && a.quantity === b.quantity;
  return (
    order.items.length === basket.items.length &&
    order.items.every((item, index) => isSame(item, basket.items[index])) &&
    isSameCustomer(order, basket)
  );
}

function keyConflict(): AppError {
  return new AppError('conflict', 'This Idempotency-Key was used for a different order.', {
    hint: 'Use a new key for a new order.',
  });
}

interface OrderWaitOptions {
  readonly store: Pick<OrderStore, 'find' | 'onOrder'>;
  readonly waits: Waits;
  readonly clock: Clock;
}

/** How long a request waits, and what ends the wait. */
interface Patience {
  /** Milliseconds, at most. */
  readonly wait: number;
  readonly address: string;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /**
   * Returns true if the client does not have this version. If absent, the wait ends when the status of the payment
   * changes, and immediately for an order that has been paid or has ended.
   */
  readonly isChanged?: ((order: Order) => boolean) | undefined;
}

/**
 * How often a waiting request checks for changes by other processes, in milliseconds, and how much longer for each
 * request that waits: 10,000 of them read 500 orders a second. Changes by this process are noticed immediately.
 */
const checkEvery = 1_000;
const laterForEach = 2;

/** Returns the function that waits for an order to change. */
function createOrderWaits({ store, waits, clock }: OrderWaitOptions) {
  const waiting = new Map<string, Set<Alarm>>();
  store.onOrder((id) => {
    const alarms = id === undefined ? [...waiting.values()].flatMap((each) => [...each]) : [];
    for (const alarm of [...alarms, ...(waiting.get(id ?? '') ?? [])]) alarm.ring();
  });

  function begin(id: string, alarm: Alarm): () => void {
    const alarms = waiting.get(id) ?? new Set();
    waiting.set(id, alarms.add(alarm));
    return () => {
      alarms.delete(alarm);
      if (alarms.size === 0 && waiting.get(id) === alarms) waiting.delete(id);
    };
  }

  /**
   * Resolves to the order once it has changed, the time is up, or the signal aborts; immediately if it no longer changes.
   * Throws `rate_limited` if too many requests wait.
   */
  return async function untilChanged(order: Order, patience: Patience): Promise<Order> {
    const { wait, address, signal } = patience;
    const { isChanged = ({ status }: Order) => status !== order.status } = patience;
    const isSettled = patience.isChanged ? isClosed : isOver;
    if (wait === 0 || isSettled(order) || isChanged(order)) return order;
    const leave = waits.begin(`address ${addressKey(address)}`);
    const until = clock.monotonic() + wait;
    const alarm = createAlarm(clock);
    const end = begin(order.id, alarm);
    try {
      for (;;) {
        const now = (await store.find(order.id)) ?? order;
        const left = until - clock.monotonic();
        if (isChanged(now) || left <= 0 || signal.aborted) return now;
        await alarm.sleep(Math.min(left, checkEvery + waits.size * laterForEach), signal);
      }
    } finally {
      end();
      leave();
    }
  };
}
