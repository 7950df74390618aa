import { addressKey } from '../base/addresses.js';
import type { Clock } from '../base/clock.js';
import type { RateLimiter, RateLimitRule } from '../base/rate-limit.js';
import { amountOf } from './amount.js';
import type { Order } from './order.js';
import { newOrderId } from './order-id.js';
import { notForSale, unavailable } from './refusals.js';
import type { RequestPayment } from './request-payment.js';
import type { OrderStore } from './store.js';
import type { Till, TillCashier } from './till.js';

/** What a visitor wants to buy. */
export interface Wanted {
  readonly productId: number;
  readonly quantity: number;
}

/** What an order copies of a product. The price is in tenge. */
export interface SoldProduct {
  readonly name: string;
  readonly price: number;
}

export interface CreateOrderOptions {
  readonly store: OrderStore;
  /** `not_found` where there is none of this id. */
  findProduct(id: number): Promise<SoldProduct>;
  /** Absent where this process takes no payments. */
  readonly till?: Till | undefined;
  readonly requestPayment: RequestPayment;
  readonly rateLimiter: RateLimiter;
  readonly clock: Pick<Clock, 'now'>;
}

/** Orders of one address; each costs a payment at the provider. Those that came to nothing do not count. */
const orderRule: RateLimitRule = { name: 'orders', amount: 10, periodSeconds: 3_600 };

export type CreateOrder = ReturnType<typeof createCreateOrder>;

/** Makes new orders. */
export function createCreateOrder(options: CreateOrderOptions) {
  const { store, findProduct, till, requestPayment, rateLimiter, clock } = options;

  async function assertLeft({ productId, quantity }: Wanted): Promise<void> {
    const left = await store.leftOf(productId);
    if (left === 0) throw notForSale('This product is sold out.');
    if (left !== null && left < quantity)
      throw notForSale(`There are only ${left} left of this product.`);
  }

  /** The cashiers who are signed in, or the refusal where there are none. */
  async function openTill(): Promise<readonly [TillCashier, ...TillCashier[]]> {
    const [first, ...others] = (await till?.cashiers()) ?? [];
    if (!first) throw unavailable();
    return [first, ...others];
  }

  async function make(wanted: Wanted, keyHash: string | null) {
    const { name, price } = await findProduct(wanted.productId);
    const amount = amountOf(price, wanted.quantity);
    if (amount === undefined) throw notForSale('This product cannot be bought here.');
    await assertLeft(wanted);
    const cashiers = await openTill();
    const { organizationId, profileId } = cashiers[0];
    const order: Order = {
      id: newOrderId(),
      ...wanted,
      ...{ name, amount, organizationId, profileId, keyHash },
      status: 'unknown',
      ...{ paymentId: null, qrToken: null, expiresAt: null, endedAt: null, oversold: false },
      createdAt: clock.now(),
    };
    const stored = await store.add(order);
    // Another process was asked for the same first.
    if (stored.id !== order.id) return { order: stored, isNew: false };
    return { order: await requestPayment.first(order, cashiers), isNew: true };
  }

  /**
   * Makes an order and has its payment made. What is not for sale, and what the provider refuses, leaves no order, and
   * does not count.
   */
  return async function createOrder(
    wanted: Wanted,
    { keyHash, address }: { readonly keyHash: string | null; readonly address: string },
  ): Promise<Order> {
    const key = addressKey(address);
    await rateLimiter.take(orderRule, key);
    let isMade = false;
    try {
      const { order, isNew } = await make(wanted, keyHash);
      isMade = isNew;
      return order;
    } finally {
      if (!isMade) await rateLimiter.giveBack(orderRule, key);
    }
  };
}
