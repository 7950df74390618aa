import { hash } from 'node:crypto';
import { AppError } from '../base/errors.js';
import type { CreateOrder, Wanted } from './create-order.js';
import type { Order } from './order.js';
import type { RequestPayment } from './request-payment.js';
import type { OrderStore } from './store.js';

export interface KeyedOrderOptions {
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
export function createKeyedOrders({ store, createOrder, requestPayment }: KeyedOrderOptions) {
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
