import type { Order, OrderItem } from '../../src/orders/order.js';

/** Returns an item of two pieces of the product 3. */
export function tea(changes: Partial<OrderItem> = {}): OrderItem {
  const facts = { productId: 3, variantId: null, name: 'Tea', price: 12.25 };
  return { ...facts, quantity: 2, amount: 24.5, oversold: false, ...changes };
}

/** Returns an order with its first item marked as oversold. */
export function oversold(order: Order): Order {
  return { ...order, items: order.items.map((item) => ({ ...item, oversold: true })) };
}

/** Returns a stored order of two pieces whose payment is being created. */
export function order(name: string, changes: Partial<Order> = {}): Order {
  return {
    id: idOf(name),
    number: 1,
    items: [tea()],
    fulfillment: { method: 'pickup', address: null, requestedFor: null, status: 'new' },
    note: '',
    deliveryPrice: 0,
    amount: 24.5,
    status: 'unknown',
    organizationId: 7,
    profileId: 7,
    paymentId: null,
    qrToken: null,
    expiresAt: null,
    createdAt: Date.parse('2026-07-28T09:00:00Z'),
    changedAt: Date.parse('2026-07-28T09:00:00Z'),
    endedAt: null,
    keyHash: null,
    ...changes,
  };
}

/** Returns a readable id. */
export function idOf(name: string): string {
  return name.padEnd(22, '-');
}

/** Returns the digest of a key. */
export function hashOf(key: string): string {
  return key.padEnd(43, '_');
}

/** Returns an order with its code. */
export function pending(before: Order): Order {
  return {
    ...before,
    status: 'pending',
    paymentId: '1001',
    qrToken: 'https://pay.kz/1001',
    expiresAt: before.createdAt + 300_000,
  };
}

/** Returns the order after its payment. */
export function paid(before: Order): Order {
  return { ...pending(before), status: 'paid', endedAt: before.createdAt + 60_000 };
}
