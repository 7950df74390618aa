import { describe, expect, it } from 'vitest';
import {
  type FollowedIntent,
  type FollowedPayment,
  followNotMade,
  followPayment,
} from '../../src/orders/following.js';
import type { Order } from '../../src/orders/order.js';

const unmade: Order = {
  id: 'q83vEjRWeJCrze8SNFZ4kA',
  productId: 1,
  name: 'Lamp',
  quantity: 2,
  amount: 1500.5,
  status: 'unknown',
  organizationId: 7,
  profileId: 70,
  paymentId: null,
  qrToken: null,
  expiresAt: null,
  createdAt: 1_000,
  endedAt: null,
  oversold: false,
  keyHash: null,
};
const made = { paymentId: '1001', qrToken: 'https://pay.example/1001', expiresAt: 9_000 };
const pending: Order = { ...unmade, ...made, status: 'pending' };
const payment: FollowedPayment = {
  id: '1001',
  type: 'qr',
  state: 'open',
  organizationId: 7,
  amount: 1500.5,
  qrToken: 'https://pay.example/1001',
  expiresAt: 9_000,
  reference: unmade.id,
};
const ended = (outcome: FollowedPayment['outcome']): FollowedPayment => ({
  ...payment,
  state: 'ended',
  outcome,
});

describe('followPayment', () => {
  it.each([
    ['unmade', unmade, payment, pending],
    ['unmade, paid at once', unmade, ended('success'), { ...pending, status: 'paid', endedAt: 5 }],
    ['pending, paid', pending, ended('success'), { ...pending, status: 'paid', endedAt: 5 }],
    ['pending, failed', pending, ended('failed'), { ...pending, status: 'failed', endedAt: 5 }],
    ['pending, expired', pending, ended('expired'), { ...pending, status: 'expired', endedAt: 5 }],
    [
      'pending, given up on',
      pending,
      { ...payment, state: 'unknown' },
      { ...pending, status: 'unknown' },
    ],
    [
      'given up on, paid after all',
      { ...pending, status: 'unknown' },
      ended('success'),
      { ...pending, status: 'paid', endedAt: 5 },
    ],
  ] as [string, Order, FollowedPayment, Order][])('%s', (_, order, seen, next) => {
    expect(followPayment(order, seen, 5)).toEqual(next);
  });

  it.each([
    ['the same again', pending, payment],
    ['an order that is over', { ...pending, status: 'paid', endedAt: 4 }, ended('failed')],
    ['another organization', unmade, { ...payment, organizationId: 8 }],
    ['another amount', unmade, { ...payment, amount: 1500.49 }],
    ['an invoice', unmade, { ...payment, type: 'invoice' }],
    ['another payment than its own', pending, { ...ended('success'), id: '1002' }],
  ] as [string, Order, FollowedPayment][])('changes nothing: %s', (_, order, seen) => {
    expect(followPayment(order, seen, 5)).toBeUndefined();
  });
});

describe('followNotMade', () => {
  const intent: FollowedIntent = {
    kind: 'qr',
    organizationId: 7,
    amount: 1500.5,
    key: `order-${unmade.id}`,
    state: 'not_made',
    reference: unmade.id,
  };

  it('an order of which nothing was made has failed', () => {
    expect(followNotMade(unmade, intent, 5)).toEqual({ ...unmade, status: 'failed', endedAt: 5 });
  });

  it('an order whose code nobody received has expired', () => {
    const next = followNotMade(unmade, { ...intent, state: 'abandoned' }, 5);
    expect(next).toEqual({ ...unmade, status: 'expired', endedAt: 5 });
  });

  it.each([
    ['the call was another one', unmade, { ...intent, key: 'of a cashier' }],
    ['the organization is another one', unmade, { ...intent, organizationId: 8 }],
    ['the order has a payment', pending, intent],
  ] as [string, Order, FollowedIntent][])('changes nothing where %s', (_, order, seen) => {
    expect(followNotMade(order, seen, 5)).toBeUndefined();
  });
});
