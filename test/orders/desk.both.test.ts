import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress, openShop, type Shop } from './shop-under-test.js';

const token = 'a token for the desk of orders';
let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ env: { MSGSITE_RATE_LIMIT: 'off', MSGSITE_ADMIN_TOKEN: token } });
  await shop.signIn();
});
afterAll(() => shop.close());

const admin = (method: string, path: string, body?: object, headers = {}) =>
  shop.call(method, `/api/admin/${path}`, { token, headers, ...(body ? { body } : {}) });
const order = (body: object, headers = {}) =>
  shop.call('POST', '/api/orders', { body, headers: { ...newAddress(), ...headers } });

async function product(price: number): Promise<number> {
  return (await admin('POST', 'products', { name: 'Bread', price })).body.data.id;
}

/** Sets the checkout, with defaults for what a test does not care about. */
async function setCheckout(changes: object) {
  const defaults = { contact: 'off', methods: ['pickup'], deliveryPrice: 0 };
  const more = { freeDeliveryFrom: null, leadMinutes: 0, note: '' };
  const { status, body } = await admin('PUT', 'checkout', { ...defaults, ...more, ...changes });
  expect(status, JSON.stringify(body)).toBe(200);
}

const contact = { name: ' Aigerim ', phone: '8 (701) 123-45-67' };

describe('the checkout', () => {
  it('asks for nothing and offers pickup until the shop changes it', async () => {
    const { body, headers } = await shop.call('GET', '/api/checkout');
    expect(body.data).toEqual({
      ...{ contact: 'off', methods: ['pickup'], deliveryPrice: 0, freeDeliveryFrom: null },
      ...{ leadMinutes: 0, note: '' },
    });
    const match = { 'If-Match': headers.get('ETag') ?? '' };
    expect((await admin('PUT', 'checkout', { leadMinutes: 30 }, match)).body.data).toMatchObject({
      ...{ leadMinutes: 30, contact: 'off' },
    });
    expect((await admin('PUT', 'checkout', { leadMinutes: 0 }, match)).status).toBe(412);
    expect((await shop.call('GET', '/api/checkout')).body.data.leadMinutes).toBe(30);
  });

  it.each([
    [{}],
    [{ contact: 'always' }],
    [{ methods: [] }],
    [{ methods: ['pickup', 'pickup'] }],
    [{ methods: ['drone'] }],
    [{ deliveryPrice: -1 }],
    [{ leadMinutes: 1.5 }],
    [{ note: 'x'.repeat(501) }],
    [{ more: 1 }],
  ])('rejects %j', async (body) => {
    expect((await admin('PUT', 'checkout', body)).status).toBe(400);
  });

  it.each([
    ['off', { contact }, '/contact'],
    ['required', {}, '/contact'],
    ['optional', { contact: { ...contact, phone: '123' } }, '/contact/phone'],
    ['optional', { contact: { name: ' ', phone: '+77011234567' } }, '/contact/name'],
    ['optional', { contact: { name: 'Aigerim' } }, '/contact/phone'],
    ['off', { fulfillment: { method: 'delivery', address: 'Abay 1' } }, '/fulfillment/method'],
    ['off', { fulfillment: {} }, '/fulfillment/method'],
    ['off', { note: 'x'.repeat(501) }, '/note'],
  ])('with the contact %s rejects an order with %j', async (choice, more, path) => {
    await setCheckout({ contact: choice });
    const { status, body } = await order({ productId: await product(450), ...more });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('accepts times from the lead time to 30 days ahead', async () => {
    await setCheckout({ leadMinutes: 60 });
    const productId = await product(450);
    const at = async (minutes: number) => {
      const requestedFor = new Date(Date.now() + minutes * 60_000).toISOString();
      return (await order({ productId, fulfillment: { method: 'pickup', requestedFor } })).status;
    };
    expect([await at(59), await at(61), await at(30 * 1440 - 1), await at(30 * 1440 + 1)]).toEqual([
      400, 201, 201, 400,
    ]);
    const local = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
    const fulfillment = { method: 'pickup', requestedFor: local };
    expect((await order({ productId, fulfillment })).status).toBe(400);
  });

  it('adds the price of a delivery, and needs an address for it', async () => {
    await setCheckout({
      methods: ['pickup', 'delivery'],
      deliveryPrice: 700,
      freeDeliveryFrom: 2000,
    });
    const productId = await product(450);
    const delivery = { method: 'delivery', address: ' Abay 12, Almaty ' };
    expect((await order({ productId, fulfillment: { method: 'delivery' } })).status).toBe(400);
    const made = (
      await order({ productId, quantity: 2, fulfillment: delivery, expectedAmount: 1600 })
    ).body;
    expect(made.order).toMatchObject({ deliveryPrice: 700, amount: 1600 });
    expect(made.order.fulfillment).toEqual({
      method: 'delivery',
      requestedFor: null,
      status: 'new',
    });
    const free = (await order({ productId, quantity: 5, fulfillment: delivery })).body;
    expect(free.order).toMatchObject({ deliveryPrice: 0, amount: 2250 });
    const stale = await order({ productId, fulfillment: delivery, expectedAmount: 450 });
    expect(stale.body).toMatchObject({ code: 'changed', deliveryPrice: 700, amount: 1150 });
  });
});

describe('the details of a customer', () => {
  it('are shown to the shop only', async () => {
    await setCheckout({ contact: 'required', methods: ['delivery'] });
    const fulfillment = { method: 'delivery', address: 'Secret street 5' };
    const note = 'Ring twice, quietly';
    const key = { 'Idempotency-Key': 'with a contact' };
    const basket = { productId: await product(450), contact, fulfillment, note };
    const made = await order(basket, key);
    expect(made.status).toBe(201);
    const { id } = made.body.order;
    expect(
      (await order({ ...basket, contact: { ...contact, phone: '+77011234567' } }, key)).body.order
        .id,
    ).toBe(id);
    expect((await order({ ...basket, note: 'Another' }, key)).status).toBe(409);
    const publicText = JSON.stringify([made.body, (await shop.find(id)).body]);
    expect(publicText).not.toMatch(/Aigerim|7011234567|Secret|quietly/);
    expect((await admin('GET', `orders/${id}`)).body.order).toMatchObject({
      ...{ contact: { name: 'Aigerim', phone: '+77011234567' }, note },
      fulfillment: { ...fulfillment, status: 'new' },
    });
    const listed = (await admin('GET', 'orders?limit=1')).body.orders[0];
    expect(listed.contact.phone).toBe('+77011234567');
  });
});

describe('the fulfillment of an order', () => {
  it('moves step by step once the order is paid, and is audited', async () => {
    await setCheckout({});
    const { id } = (await order({ productId: await product(1006) })).body.order;
    const move = (status: string, headers = {}) =>
      admin('PUT', `orders/${id}/fulfillment`, { status }, headers);
    expect((await move('preparing')).body.code).toBe('conflict');
    expect((await shop.ended(id)).status).toBe('expired');
    const paid = (await order({ productId: await product(450) })).body.order.id;
    await shop.ended(paid);
    const moveIt = (status: string, headers = {}) =>
      admin('PUT', `orders/${paid}/fulfillment`, { status }, headers);
    const tag = (await admin('GET', `orders/${paid}`)).headers.get('ETag') ?? '';
    const first = await moveIt('preparing', { 'If-Match': tag });
    expect(first.body.order.fulfillment.status).toBe('preparing');
    expect((await moveIt('ready', { 'If-Match': tag })).status).toBe(412);
    expect((await moveIt('completed')).body.code).toBe('conflict');
    for (const status of ['ready', 'completed', 'ready', 'cancelled', 'preparing']) {
      expect((await moveIt(status)).body.order.fulfillment.status).toBe(status);
    }
    expect((await moveIt('lost')).status).toBe(400);
    expect(
      (await admin('PUT', 'orders/q83vEjRWeJCrze8SNFZ4kA/fulfillment', { status: 'new' })).status,
    ).toBe(404);
  });

  it('ends a wait with If-None-Match, also after the payment', async () => {
    await setCheckout({});
    const { id } = (await order({ productId: await product(450) })).body.order;
    await shop.ended(id);
    const tag = (await shop.find(id)).headers.get('ETag') ?? '';
    const none = { 'If-None-Match': tag };
    expect((await shop.find(id, '', none)).status).toBe(304);
    const start = performance.now();
    expect((await shop.find(id, '?wait=1', none)).status).toBe(304);
    // A client that repeats its request immediately must not spin.
    expect(performance.now() - start).toBeGreaterThan(900);
    const waiting = shop.find(id, '?wait=30', none);
    await sleep(100);
    await admin('PUT', `orders/${id}/fulfillment`, { status: 'preparing' });
    const { status, body } = await waiting;
    expect([status, body]).toMatchObject([
      200,
      { order: { fulfillment: { status: 'preparing' } } },
    ]);
    // Without the header, a paid order is returned immediately, as before.
    expect((await shop.find(id, '?wait=30')).body.order.status).toBe('paid');
  });
});
