import { hash } from 'node:crypto';
import { addressKey } from '../base/addresses.js';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { type Alarm, createAlarm } from '../base/every.js';
import type { RateLimiter } from '../base/rate-limit.js';
import type { Waits } from '../base/waits.js';
import type { CreateOrder } from './create-order.js';
import { createCreateOrder, type SoldProduct, type Wanted } from './create-order.js';
import type { Left, Order } from './order.js';
import { isOver } from './order.js';
import type { RequestPayment } from './request-payment.js';
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

interface KeyedOrderOptions {
  readonly store: Pick<OrderStore, 'findByKey'>;
  readonly createOrder: CreateOrder;
  readonly requestPayment: RequestPayment;
}

/** Who asks, under which key. */
interface Repeatable {
  /** The client's; empty for none. */
  readonly key: string;
  readonly address: string;
}

/** Gives the function that makes one order of equal requests under one key. */
function createKeyedOrders({ store, createOrder, requestPayment }: KeyedOrderOptions) {
  const flights = new Map<string, { wanted: Wanted; order: Promise<Order> }>();

  async function findOrCreate(wanted: Wanted, keyHash: string, address: string): Promise<Order> {
    const known = await store.findByKey(keyHash);
    const order = known ?? (await createOrder(wanted, { keyHash, address }));
    assertSame(order, wanted);
    return requestPayment.again(order);
  }

  /** Requests that come meanwhile share what comes of the first. */
  async function once(wanted: Wanted, keyHash: string, address: string): Promise<Order> {
    const flight = flights.get(keyHash);
    if (flight) {
      assertSame(flight.wanted, wanted);
      return flight.order;
    }
    const order = findOrCreate(wanted, keyHash, address).finally(() => flights.delete(keyHash));
    flights.set(keyHash, { wanted, order });
    return order;
  }

  /** The order as it is now where the key stands for one; `conflict` where that is another request's. */
  return async function requestOrder(wanted: Wanted, { key, address }: Repeatable): Promise<Order> {
    if (key === '') return createOrder(wanted, { keyHash: null, address });
    return once(wanted, hash('sha256', key, 'base64url'), address);
  };
}

function assertSame(known: Wanted, { productId, quantity }: Wanted): void {
  if (known.productId === productId && known.quantity === quantity) return;
  throw new AppError('conflict', 'This Idempotency-Key was used with another order.', {
    hint: 'Use a new key for a new order.',
  });
}

interface OrderWaitOptions {
  readonly store: Pick<OrderStore, 'find' | 'onOrder'>;
  readonly waits: Waits;
  readonly clock: Clock;
}

/** Who waits, and for how long. */
interface Patience {
  /** Milliseconds, at most. */
  readonly wait: number;
  readonly address: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * How often what other processes have changed is looked for, in milliseconds, and how much later for each wait there
 * is: 10,000 of them read 500 orders a second. What this process changes is noticed at once.
 */
const checkEvery = 1_000;
const laterForEach = 2;

/** Gives the function that waits for changes of orders. */
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
   * Resolves to the order once its status is another one than here, when the time is up, and when the signal aborts; at
   * once where it is over. `rate_limited` where too many wait.
   */
  return async function untilChanged(order: Order, patience: Patience): Promise<Order> {
    const { wait, address, signal } = patience;
    if (wait === 0 || isOver(order)) return order;
    const leave = waits.begin(`address ${addressKey(address)}`);
    const until = clock.monotonic() + wait;
    const alarm = createAlarm(clock);
    const end = begin(order.id, alarm);
    try {
      for (;;) {
        const now = (await store.find(order.id)) ?? order;
        const left = until - clock.monotonic();
        if (now.status !== order.status || left <= 0 || signal.aborted) return now;
        await alarm.sleep(Math.min(left, checkEvery + waits.size * laterForEach), signal);
      }
    } finally {
      end();
      leave();
    }
  };
}
