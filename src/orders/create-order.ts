import { randomBytes } from 'node:crypto';
import { addressKey } from '../base/addresses.js';
import type { Clock } from '../base/clock.js';
import type { RateLimiter } from '../base/rate-limit.js';
import { ranAtOf } from '../base/running-time.js';
import { amountOf, isSameAmount, sumOf } from './amount.js';
import { type Checkout, deliveryPriceOf } from './checkout.js';
import { type Order, type OrderedItem, type OrderItem, orderRule } from './order.js';
import { type Details, readCustomer } from './read-customer.js';
import { changedPrice, notForSale, unavailable } from './refusals.js';
import type { RequestPayment } from './request-payment.js';
import type { OrderStore } from './store.js';
import type { Till, TillCashier } from './till.js';

/** The details that an order copies from a product. The price is in tenge. */
export interface SoldProduct {
  readonly name: string;
  readonly price: number;
}

export interface CreateOrderOptions {
  readonly store: OrderStore;
  /** Throws `not_found` if there is no such ID. */
  findProduct(id: number): Promise<SoldProduct>;
  readCheckout(): Promise<Checkout>;
  /** Returns an unused number for people. */
  nextNumber(): Promise<number>;
  /** Absent if this process takes no payments. */
  readonly till?: Till | undefined;
  readonly requestPayment: RequestPayment;
  readonly rateLimiter: RateLimiter;
  readonly clock: Pick<Clock, 'now' | 'ranFor'>;
}

/** The items of an order, and the customer's details as they were sent. */
export interface Basket extends Details {
  readonly items: readonly OrderedItem[];
  /** The amount that the customer was shown, in tenge. */
  readonly expectedAmount?: number | undefined;
}

/** The customer, and the digest of the request's key. */
interface Buyer {
  readonly keyHash: string | null;
  readonly address: string;
}

export type CreateOrder = ReturnType<typeof createCreateOrder>;

/** Returns the function that creates orders. */
export function createCreateOrder(options: CreateOrderOptions) {
  const { store, findProduct, readCheckout, nextNumber, till } = options;
  const { requestPayment, rateLimiter, clock } = options;

  /** Returns an ordered item at today's price. Throws `not_found` or `not_for_sale` if it cannot be bought. */
  async function priced(ordered: OrderedItem, index: number): Promise<OrderItem> {
    const { productId, variantId, quantity } = ordered;
    const { name, price } = await findProduct(productId);
    const amount = amountOf(price, quantity);
    if (amount === undefined) throw notForSale(index, `“${name}” cannot be bought here.`);
    const left = await store.leftOf(productId);
    if (left === 0) throw notForSale(index, `“${name}” is sold out.`);
    if (left !== null && left < quantity)
      throw notForSale(index, `There are only ${left} left of “${name}”.`);
    return { productId, variantId, name, price, quantity, amount, oversold: false };
  }

  /** Returns the signed-in cashiers, at least one; throws otherwise. */
  async function openTill(): Promise<readonly [TillCashier, ...TillCashier[]]> {
    const [first, ...others] = (await till?.cashiers()) ?? [];
    if (!first) throw unavailable();
    return [first, ...others];
  }

  /** Returns the order to store, and the cashiers who can create its payment. */
  async function draft(basket: Basket, { keyHash, address }: Buyer) {
    const { expectedAmount } = basket;
    const checkout = await readCheckout();
    const { fulfillment, ...customer } = readCustomer(basket, checkout, clock.now());
    const items = await Promise.all(basket.items.map(priced));
    const deliveryPrice = deliveryPriceOf(checkout, fulfillment.method, items);
    const amount = sumOf([...items.map((item) => item.amount), deliveryPrice]);
    if (amount === undefined) throw notForSale(0, 'This order costs more than can be paid.');
    if (expectedAmount !== undefined && !isSameAmount(amount, expectedAmount))
      throw changedPrice({ items, deliveryPrice, amount });
    const cashiers = await openTill();
    const { organizationId, profileId } = cashiers[0];
    const countedAs = rateLimiter.bucketOf(orderRule, address);
    const now = clock.now();
    const order: Order = {
      id: newOrderId(),
      number: await nextNumber(),
      ...{ items, deliveryPrice, amount, organizationId, profileId, keyHash },
      ...customer,
      fulfillment: { ...fulfillment, status: 'new' },
      status: 'unknown',
      ...{ paymentId: null, qrToken: null, expiresAt: null, endedAt: null },
      createdAt: now,
      changedAt: now,
      ...(countedAs === undefined ? {} : { countedAs }),
      ...ranAtOf(clock),
    };
    return { order, cashiers };
  }

  /** Returns false if this cannot be determined, in which case the order may be stored. */
  async function isGone({ id }: Order): Promise<boolean> {
    try {
      return (await store.find(id)) === undefined;
    } catch {
      return false;
    }
  }

  /**
   * Creates an order and its payment. If a product is not for sale or the provider refuses, no order is left, and
   * nothing counts against the limit. A stored order counts until it is paid, even if requesting its payment failed.
   */
  return async function createOrder(basket: Basket, buyer: Buyer): Promise<Order> {
    const address = addressKey(buyer.address);
    await rateLimiter.take(orderRule, address);
    let order: Order | undefined;
    try {
      const drafted = await draft(basket, { ...buyer, address });
      order = drafted.order;
      const stored = await store.add(order);
      if (stored.id === order.id) return await requestPayment.first(order, drafted.cashiers);
      // Another process stored the order of the same key first.
      await rateLimiter.giveBack(orderRule, address);
      return stored;
    } catch (error) {
      if (!order || (await isGone(order))) await rateLimiter.giveBack(orderRule, address);
      throw error;
    }
  };
}

/** Letters and digits that people can tell apart on paper and over the phone (those of Crockford's base 32). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Characters of an order ID: 110 bits, which nobody can guess. */
const length = 22;

/** Returns a new order ID. */
function newOrderId(): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}
