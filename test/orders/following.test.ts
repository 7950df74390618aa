import { describe, expect, it } from 'vitest';
import {
  type FollowedIntent,
  type FollowedPayment,
  followCorrection,
  followNotMade,
  followPayment,
} from '../../src/orders/following.js';
import type { Order } from '../../src/orders/order.js';

const unmade: Order = {
  id: 'q83vEjRWeJCrze8SNFZ4kA',
  number: 1,
  items: [
    {
      ...{ productId: 1, variantId: null, name: 'Lamp', price: 750.25 },
      ...{ quantity: 2, amount: 1500.5, oversold: false },
    },
  ],
  fulfillment: { method: 'pickup', address: null, requestedFor: null, status: 'new' },
  note: '',
  deliveryPrice: 0,
  amount: 1500.5,
  status: 'unknown',
  organizationId: 7,
  profileId: 70,
  paymentId: null,
  qrToken: null,
  expiresAt: null,
  createdAt: 1_000,
  changedAt: 1_000,
  endedAt: null,
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
  ] as [string, Order, FollowedPayment, Order][])(
    'updates the order: %s',
    (_, order, seen, next) => {
      expect(followPayment(order, seen, 5)).toEqual({ ...next, changedAt: 5 });
    },
  );

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

describe('followPayment of an order that failed before its payment was known', () => {
  const failed: Order = { ...unmade, status: 'failed', endedAt: 4 };

  it('corrects the order once the payment has succeeded', () => {
    const corrected = { status: 'paid', at: 5 };
    const known = followPayment(failed, ended('success'), 5);
    expect(known).toEqual({ ...failed, paymentId: '1001', changedAt: 5, corrected });
    expect(followPayment(known ?? failed, ended('success'), 6)).toBeUndefined();
  });

  it.each([
    ['is open', payment],
    ['has failed', ended('failed')],
    ['is over another amount', { ...ended('success'), amount: 1500 }],
  ] as [string, FollowedPayment][])('changes nothing if the payment %s', (_, seen) => {
    expect(followPayment(failed, seen, 5)).toBeUndefined();
  });
});

describe('followCorrection', () => {
  const expired: Order = { ...pending, status: 'expired', endedAt: 4 };
  const was = ended('expired');
  const paid = { status: 'paid', at: 5 } as const;

  it.each([
    ['is paid after all', expired, 'success', paid],
    ['failed instead', expired, 'failed', { status: 'failed', at: 5 }],
    ['was paid with another amount', expired, undefined, { status: 'unknown', at: 5 }],
    [
      'was not paid after all',
      { ...pending, status: 'paid' },
      'failed',
      { status: 'failed', at: 5 },
    ],
    [
      'has its first outcome again',
      { ...expired, corrected: { status: 'paid', at: 3 } },
      'expired',
      { status: 'expired', at: 5 },
    ],
  ] as const)(
    'marks an order whose payment %s, and keeps its status',
    (_, order, outcome, corrected) => {
      const { corrected: _before, ...kept } = { corrected: undefined, ...order };
      expect(followCorrection(order as Order, was, { outcome, now: 5 })).toEqual({
        ...kept,
        changedAt: 5,
        corrected,
      });
    },
  );

  it.each([
    ['the order has that status', expired, was, 'expired'],
    ['the order is already marked so', { ...expired, corrected: paid }, was, 'success'],
    ['the order has not ended', pending, was, 'success'],
    ['the payment is another one', expired, { ...was, id: '1002' }, 'success'],
    ['the organization is another one', expired, { ...was, organizationId: 8 }, 'success'],
    ['the order never had a payment', { ...unmade, status: 'failed', endedAt: 4 }, was, 'success'],
  ] as const)('changes nothing if %s', (_, order, seen, outcome) => {
    const change = { outcome, now: 6 };
    expect(followCorrection(order as Order, seen as FollowedPayment, change)).toBeUndefined();
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

  const at = { endedAt: 5, changedAt: 5 };

  it('fails an order whose payment was never made', () => {
    expect(followNotMade(unmade, intent, 5)).toEqual({ ...unmade, ...at, status: 'failed' });
  });

  it('expires an order whose code nobody received', () => {
    const next = followNotMade(unmade, { ...intent, state: 'abandoned' }, 5);
    expect(next).toEqual({ ...unmade, ...at, status: 'expired' });
  });

  it.each([
    ['the call was another one', unmade, { ...intent, key: 'of a cashier' }],
    ['the organization is another one', unmade, { ...intent, organizationId: 8 }],
    ['the order has a payment', pending, intent],
  ] as [string, Order, FollowedIntent][])('changes nothing if %s', (_, order, seen) => {
    expect(followNotMade(order, seen, 5)).toBeUndefined();
  });
});
