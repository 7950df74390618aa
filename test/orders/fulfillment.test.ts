import { describe, expect, it } from 'vitest';
import { defaultCheckout, deliveryPriceOf } from '../../src/orders/checkout.js';
import { type FulfillmentStatus, moved } from '../../src/orders/fulfillment.js';
import type { Order } from '../../src/orders/order.js';
import { isDue } from '../../src/orders/retention.js';
import { order, paid, tea } from './order-samples.js';

const all = ['new', 'preparing', 'ready', 'completed', 'cancelled'] as const;
const day = 86_400_000;

/** Returns an order of a customer with this status of its fulfillment. */
function at(status: FulfillmentStatus, changes: Partial<Order> = {}): Order {
  const made = paid(order('a'));
  const contact = { name: 'Aigerim', phone: '+77011234567' };
  return { ...made, contact, fulfillment: { ...made.fulfillment, status }, ...changes };
}

describe('a paid order', () => {
  const allowed: Readonly<Record<FulfillmentStatus, readonly FulfillmentStatus[]>> = {
    new: ['preparing', 'cancelled'],
    preparing: ['new', 'ready', 'cancelled'],
    ready: ['preparing', 'completed', 'cancelled'],
    completed: ['ready'],
    cancelled: ['new', 'preparing', 'ready'],
  };
  const moves = all.flatMap((from) => all.map((to) => ({ from, to })));
  it.each(moves)('moves from $from to $to only in the allowed steps', ({ from, to }) => {
    const before = at(from);
    if (from === to) return expect(moved(before, to, 7)).toBeUndefined();
    if (!allowed[from].includes(to)) return expect(() => moved(before, to, 7)).toThrow('cannot');
    const after = moved(before, to, 7);
    const fulfillment = { ...before.fulfillment, status: to };
    expect(after).toEqual({ ...before, changedAt: 7, fulfillment });
  });

  it.each(['pending', 'failed', 'expired', 'unknown'] as const)(
    'does not move while it is %s',
    (status) => {
      expect(() => moved(at('new', { status }), 'preparing', 7)).toThrow('has not been paid');
    },
  );
});

describe('the price of a delivery', () => {
  const checkout = { ...defaultCheckout, deliveryPrice: 700, freeDeliveryFrom: 10_000 };
  it.each([
    ['pickup', 100, 0],
    ['delivery', 9_999.99, 700],
    ['delivery', 10_000, 0],
  ] as const)('with %s and goods for %d tenge is %d', (method, amount, price) => {
    expect(deliveryPriceOf(checkout, method, [tea({ amount })])).toBe(price);
  });

  it('is rounded to the tiyn', () => {
    const odd = { ...checkout, deliveryPrice: 700.006 };
    expect(deliveryPriceOf(odd, 'delivery', [tea({ amount: 1 })])).toBe(700.01);
  });

  it('is never free without a limit', () => {
    const paidAlways = { ...checkout, freeDeliveryFrom: null };
    expect(deliveryPriceOf(paidAlways, 'delivery', [tea({ amount: 90_000 })])).toBe(700);
  });
});

describe('the details of a customer are due for erasure', () => {
  const isDueAfter = (made: Order, days: number) =>
    isDue(made, { life: 90 * day, now: made.changedAt + days * day });
  it.each([
    ['completed', {}, 90, true],
    ['completed', {}, 89, false],
    ['cancelled', {}, 90, true],
    ['ready', {}, 900, false],
    ['new', { status: 'expired', endedAt: 0, changedAt: 0 }, 7, true],
    ['new', { status: 'failed', endedAt: 0, changedAt: 0 }, 6, false],
    ['new', { status: 'pending', endedAt: null }, 900, false],
  ] as const)('with the fulfillment %s and %o after %d days: %s', (status, changes, days, due) => {
    expect(isDueAfter(at(status, changes), days)).toBe(due);
  });
});
