import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Headers } from '../payments/gateway-client.js';
import { newAddress, openShop, type Shop } from './shop-under-test.js';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
  await shop.signIn();
});
afterAll(() => shop.close());

const key = (text: string) => ({ 'Idempotency-Key': text });

describe('POST /api/orders', () => {
  it('returns the order with its payment code', async () => {
    const productId = await shop.product(1753.25, { name: 'Lamp' });
    const { status, body, headers } = await shop.order(productId, { quantity: 2 });
    expect(status).toBe(201);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toEqual({
      ok: true,
      order: {
        id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        number: expect.any(Number),
        items: [
          {
            ...{ productId, variantId: null, name: 'Lamp', price: 1753.25 },
            ...{ quantity: 2, amount: 3506.5, oversold: false },
          },
        ],
        productId,
        name: 'Lamp',
        quantity: 2,
        fulfillment: { method: 'pickup', requestedFor: null, status: 'new' },
        deliveryPrice: 0,
        amount: 3506.5,
        status: 'pending',
        qrToken: expect.stringContaining('https://'),
        qrImage: expect.stringMatching(/^data:image\/svg\+xml,/),
        expiresAt: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
        changedAt: expect.stringMatching(/Z$/),
      },
    });
    const { status: _, changedAt: __, ...facts } = body.order;
    expect((await shop.find(body.order.id)).body.order).toMatchObject(facts);
  });

  it.each([
    [1000, 'paid'],
    [1001, 'failed'],
    [1002, 'failed'],
    [1003, 'failed'],
    [1004, 'expired'],
    [1005, 'expired'],
    [1006, 'expired'],
    [1007, 'paid'],
    [1008, 'paid'],
  ])('creates an order over %d tenge that ends as %s', async (price, status) => {
    const { body } = await shop.order(await shop.product(price));
    expect((await shop.ended(body.order.id)).status).toBe(status);
  });

  it('uses the quantity 1 by default and keeps the current price', async () => {
    const productId = await shop.product(2006);
    const { order } = (await shop.order(productId)).body;
    await shop.call('PUT', `/api/admin/products/${productId}`, {
      body: { price: 1, name: 'Renamed' },
    });
    const later = (await shop.find(order.id)).body.order;
    expect([later.quantity, later.amount, later.name]).toEqual([1, 2006, 'A product of 2006']);
  });

  it.each([
    [{}, 400, 'validation_failed'],
    [{ productId: 1, quantity: 0 }, 400, 'validation_failed'],
    [{ productId: 1, quantity: 100 }, 400, 'validation_failed'],
    [{ productId: 1, quantity: 1.5 }, 400, 'validation_failed'],
    [{ productId: 1, amount: 1 }, 400, 'validation_failed'],
    [{ productId: 987_654 }, 404, 'not_found'],
  ])('refuses %j', async (body, status, code) => {
    const answer = await shop.call('POST', '/api/orders', { body, headers: newAddress() });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    ['is for free', 0, null, 1],
    ['costs less than a tiyn', 0.004, null, 1],
    ['costs more than can be paid', 90e12, null, 99],
    ['is sold out', 1500, 0, 1],
    ['has fewer pieces left', 1500, 2, 3],
  ])('refuses a product that %s', async (_, price, left, quantity) => {
    const productId = await shop.product(price);
    await shop.setLeft(productId, left);
    const { status, body } = await shop.order(productId, { quantity });
    expect([status, body.code]).toEqual([409, 'not_for_sale']);
  });

  it('sells the last pieces', async () => {
    const productId = await shop.product(1500);
    await shop.setLeft(productId, 3);
    expect((await shop.order(productId, { quantity: 3 })).status).toBe(201);
  });
});

describe('the Idempotency-Key of an order', () => {
  it('returns the current order, even if the product was deleted', async () => {
    const productId = await shop.product(3000);
    const first = (await shop.order(productId, {}, key('a'))).body.order;
    expect((await shop.order(productId, { quantity: 1 }, key('a'))).body.order.id).toBe(first.id);
    await shop.ended(first.id);
    await shop.call('DELETE', `/api/admin/products/${productId}`);
    const { status, body } = await shop.order(productId, {}, key('a'));
    expect([status, body.order.id, body.order.status]).toEqual([201, first.id, 'paid']);
  });

  it('deduplicates concurrent requests', async () => {
    const productId = await shop.product(3000);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => shop.order(productId, {}, key('together'))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.order.id)).size).toBe(1);
  });

  it('refuses another body', async () => {
    const productId = await shop.product(3000);
    await shop.order(productId, {}, key('b'));
    const { status, body } = await shop.order(productId, { quantity: 2 }, key('b'));
    expect([status, body.code]).toEqual([409, 'conflict']);
  });

  it('can be reused after a refusal', async () => {
    const productId = await shop.product(3010);
    const refused = await shop.order(productId, {}, key('c'));
    expect([refused.status, refused.body.code]).toEqual([500, 'provider_error']);
    expect(refused.body.details).toBeUndefined();
    await shop.call('PUT', `/api/admin/products/${productId}`, { body: { price: 3000 } });
    expect((await shop.order(productId, { quantity: 2 }, key('c'))).status).toBe(201);
    const { orders } = (await shop.call('GET', '/api/admin/orders?limit=100')).body;
    const ofIt = orders.filter((order: { productId: number }) => order.productId === productId);
    expect(ofIt.map(({ amount }: { amount: number }) => amount)).toEqual([6000]);
  });
});

describe('GET /api/orders/:order', () => {
  it('answers 404 for an unknown order', async () => {
    for (const id of ['q83vEjRWeJCrze8SNFZ4kA', 'x', '..%2f', 'q83vEjRWeJCrze8SNFZ4kA%20']) {
      expect((await shop.find(id)).status).toBe(404);
    }
  });

  it('refuses waits beyond 0 to 30', async () => {
    for (const wait of ['31', '-1', '1.5', 'x', '']) {
      expect((await shop.find('q83vEjRWeJCrze8SNFZ4kA', `?wait=${wait}`)).status).toBe(400);
    }
  });

  it('with wait answers once the status has changed, and at once for an ended order', async () => {
    const { order } = (await shop.order(await shop.product(4004))).body;
    const { body, headers } = await shop.find(order.id, '?wait=30');
    expect(body.order.status).toBe('expired');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect((await shop.find(order.id, '?wait=30')).body.order.status).toBe('expired');
  });
});

it('an address can make ten orders an hour, not counting refused ones', async () => {
  const address = newAddress();
  const productId = await shop.product(1506);
  const free = await shop.product(0);
  const refused = await shop.product(1510);
  for (let count = 0; count < 10; count += 1) {
    expect((await shop.order(free, {}, address)).status).toBe(409);
    expect((await shop.order(refused, {}, address)).status).toBe(500);
    expect((await shop.order(productId, {}, { ...address, ...key(`h${count}`) })).status).toBe(201);
  }
  const late = await shop.order(productId, {}, address);
  expect([late.status, late.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(late.headers.get('Retry-After'))).toBeGreaterThan(0);
  // A retry returns the existing order.
  expect((await shop.order(productId, {}, { ...address, ...key('h0') })).status).toBe(201);
  expect((await shop.order(productId, {}, newAddress())).status).toBe(201);
});

describe('the order limit of an address', () => {
  /** Orders once the address has room again, which is shortly after a paid order. */
  async function orderAgain(productId: number, address: Headers) {
    await expect
      .poll(async () => (await shop.order(productId, {}, address)).status, { interval: 20 })
      .toBe(201);
  }

  async function paid(address: Headers, count: number): Promise<void> {
    const productId = await shop.product(1500);
    for (let n = 0; n < count; n += 1) {
      const { order } = (await shop.order(productId, {}, address)).body;
      expect((await shop.ended(order.id)).status).toBe('paid');
    }
  }

  it('counts only unpaid orders, so ten orders with nine paid leave room for nine', async () => {
    const address = newAddress();
    const open = await shop.product(1506);
    expect((await shop.order(open, {}, address)).status).toBe(201);
    await paid(address, 9);
    for (let n = 0; n < 9; n += 1) await orderAgain(open, address);
    expect((await shop.order(open, {}, address)).status).toBe(429);
  });

  it('counts orders that have failed or expired', async () => {
    const address = newAddress();
    for (const price of [1001, 1004]) {
      const productId = await shop.product(price);
      for (let n = 0; n < 5; n += 1) {
        const { order } = (await shop.order(productId, {}, address)).body;
        expect((await shop.ended(order.id)).status).not.toBe('paid');
      }
    }
    expect((await shop.order(await shop.product(1506), {}, address)).status).toBe(429);
  });

  it('allows exactly ten more orders after every order was paid', async () => {
    const address = newAddress();
    const open = await shop.product(1506);
    await paid(address, 12);
    for (let n = 0; n < 10; n += 1) await orderAgain(open, address);
    expect((await shop.order(open, {}, address)).status).toBe(429);
  });
});

describe('GET /api/admin/orders', () => {
  it('lists pages of orders, newest first', async () => {
    const productId = await shop.product(5000);
    const made: string[] = [];
    for (const quantity of [1, 2, 3]) {
      made.unshift((await shop.order(productId, { quantity })).body.order.id);
      await sleep(2);
    }
    const ids = async (query: string) => {
      const { body } = await shop.call('GET', `/api/admin/orders${query}`);
      return [body.orders.map(({ id }: { id: string }) => id), body.hasMore];
    };
    expect(await ids('?limit=2')).toEqual([made.slice(0, 2), true]);
    expect(await ids(`?limit=1&after=${made[1]}`)).toEqual([made.slice(2), true]);
    expect((await ids(`?after=${made[0]}`))[0].slice(0, 2)).toEqual(made.slice(1));
    const unknown = await shop.call('GET', '/api/admin/orders?after=q83vEjRWeJCrze8SNFZ4kA');
    expect(unknown.status).toBe(404);
    for (const query of ['?limit=0', '?limit=101', '?after=x']) {
      expect((await shop.call('GET', `/api/admin/orders${query}`)).status).toBe(400);
    }
    await shop.ended(made[0] ?? '');
    expect(await shop.adminOrder(made[0] ?? '')).toMatchObject({
      status: 'paid',
      oversold: false,
      paymentId: expect.stringMatching(/^\d+$/),
      endedAt: expect.stringMatching(/Z$/),
      qrImage: null,
    });
  });
});

describe('the stock', () => {
  it('is listed for every product, with null for uncounted ones', async () => {
    const productId = await shop.product(1500);
    const counted = await shop.product(1500);
    await shop.setLeft(counted, 7);
    const { body } = await shop.call('GET', '/api/admin/stock');
    expect(body.data).toContainEqual({ productId, left: null });
    expect(body.data).toContainEqual({ productId: counted, left: 7 });
    const products = (await shop.call('GET', '/api/products')).body.data;
    expect(body.data).toHaveLength(products.length);
  });

  it.each([
    [{ left: -1 }, 400],
    [{ left: 1.5 }, 400],
    [{ left: 1_000_001 }, 400],
    [{ left: '1' }, 400],
    [{}, 400],
    [{ left: 1, more: 1 }, 400],
    [{ left: 1_000_000 }, 200],
    [{ left: 0 }, 200],
    [{ left: null }, 200],
  ])('is set by %j with the status %d', async (body, status) => {
    const productId = await shop.product(1500);
    const answer = await shop.call('PUT', `/api/admin/stock/${productId}`, { body });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toEqual({ ok: true, data: { productId, ...body } });
  });

  it('cannot be set for an unknown product', async () => {
    expect((await shop.setLeft(987_654, 1)).status).toBe(404);
    expect((await shop.setLeft(Number.NaN, 1)).status).toBe(404);
  });

  it('is not changed if If-Match is outdated', async () => {
    const productId = await shop.product(1500);
    const first = await shop.call('GET', `/api/admin/stock/${productId}`);
    const match = { 'If-Match': first.headers.get('ETag') ?? '' };
    const changed = await shop.setLeft(productId, 5, match);
    expect(changed.status).toBe(200);
    const late = await shop.setLeft(productId, 6, match);
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect(late.headers.get('ETag')).toBe(changed.headers.get('ETag'));
    expect(await shop.leftOf(productId)).toBe(5);
  });

  it('decreases only when an order is paid', async () => {
    const paid = await shop.product(1500);
    const failed = await shop.product(1501);
    const pending = await shop.product(1506);
    for (const id of [paid, failed, pending]) await shop.setLeft(id, 5);
    await shop.order(pending);
    expect(await shop.leftOf(pending)).toBe(5);
    const orders = [await shop.order(paid, { quantity: 2 }), await shop.order(failed)];
    for (const { body } of orders) await shop.ended(body.order.id);
    expect([await shop.leftOf(paid), await shop.leftOf(failed)]).toEqual([3, 5]);
  });

  it('never falls below 0, and the second of two payments for the last piece is oversold', async () => {
    const productId = await shop.product(1500);
    await shop.setLeft(productId, 1);
    const orders = await Promise.all([shop.order(productId), shop.order(productId)]);
    const ids = orders.map(({ body }) => body.order.id as string);
    for (const id of ids) expect((await shop.ended(id)).status).toBe('paid');
    const views = await Promise.all(ids.map(shop.adminOrder));
    expect(views.map(({ oversold }) => oversold).sort()).toEqual([false, true]);
    expect(await shop.leftOf(productId)).toBe(0);
  });
});
