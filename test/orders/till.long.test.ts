import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newAddress, openShop, type Shop } from './shop-under-test.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(options: Parameters<typeof openShop>[0] = {}): Promise<Shop> {
  const shop = await openShop(options);
  closers.push(shop.close);
  return shop;
}

const unavailable = [503, 'payments_unavailable'];
const answerOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

describe('the cashier for an order', () => {
  it('is a currently signed-in one', async () => {
    const shop = await open();
    const productId = await shop.product(1506);
    expect(answerOf(await shop.order(productId))).toEqual(unavailable);
    const headers = await shop.signIn();
    expect((await shop.order(productId)).status).toBe(201);
    await shop.till?.post('/api/auth/logout', {}, headers);
    expect(answerOf(await shop.order(productId))).toEqual(unavailable);
    // A product that cannot be bought is refused first.
    expect(answerOf(await shop.order(await shop.product(0)))).toEqual([409, 'not_for_sale']);
  });

  it('is the next one if a session has ended at the provider, and none after the last', async () => {
    // Without polls, the next order notices the end of a session.
    const shop = await open({ env: { MSGSITE_POLL_INTERVAL: '60' } });
    const [evicting, productId] = [await shop.product(1509), await shop.product(1500)];
    await shop.signIn('77010000001');
    await shop.signIn('77010000002');
    const key = { 'Idempotency-Key': 'k' };
    expect((await shop.order(evicting)).status).toBe(201);
    expect((await shop.order(productId)).status).toBe(201);
    expect((await shop.order(evicting)).status).toBe(201);
    expect(answerOf(await shop.order(productId, {}, key))).toEqual(unavailable);
    const { orders } = (await shop.call('GET', '/api/admin/orders')).body;
    expect(orders).toHaveLength(3);
    await shop.signIn('77010000001');
    expect((await shop.order(productId, { quantity: 2 }, key)).status).toBe(201);
  });

  it('can be evicted, and the order is paid after a new sign-in', async () => {
    const shop = await open();
    await shop.signIn();
    const { order } = (await shop.order(await shop.product(1509))).body;
    const other = await shop.product(1500);
    while ((await shop.order(other, {}, newAddress())).status !== 503);
    expect((await shop.find(order.id)).body.order.status).toBe('pending');
    await shop.signIn();
    expect((await shop.ended(order.id)).status).toBe('paid');
  });
});

describe('an order with a payment in doubt', () => {
  let shop: Shop;
  beforeAll(async () => {
    const faults = 'error-after@qr/create x1';
    const env = { MSGSITE_SANDBOX_FAULTS: faults, MSGSITE_RESOLVE_INTERVAL: '1' };
    shop = await openShop({ env });
    await shop.signIn();
  });
  afterAll(() => shop.close());

  it('has the status unknown, and is paid once the payment is settled', async () => {
    const productId = await shop.product(1500);
    await shop.setLeft(productId, 3);
    const key = { 'Idempotency-Key': 'in doubt' };
    const { status, body } = await shop.order(productId, {}, key);
    expect([status, body.order.status, body.order.qrToken]).toEqual([201, 'unknown', null]);
    const again = await shop.order(productId, {}, key);
    expect([again.status, again.body.order.id]).toEqual([201, body.order.id]);
    expect((await shop.ended(body.order.id)).status).toBe('paid');
    expect(await shop.leftOf(productId)).toBe(2);
    const { orders } = (await shop.call('GET', '/api/admin/orders')).body;
    expect(orders).toHaveLength(1);
  });
});

it('an address may have 100 requests waiting for an order, and a further one is refused', async () => {
  // Without polls the order stays unchanged.
  const shop = await open({ env: { MSGSITE_POLL_INTERVAL: '60' } });
  await shop.signIn();
  const { order } = (await shop.order(await shop.product(1500))).body;
  const address = newAddress();
  const stop = new AbortController();
  const asking = Array.from({ length: 101 }, () =>
    fetch(`${shop.server.site}/api/orders/${order.id}?wait=30`, {
      headers: address,
      signal: stop.signal,
    }).then(
      ({ status }) => status,
      () => undefined,
    ),
  );
  expect(await Promise.race(asking)).toBe(429);
  const refused = await shop.find(order.id, '?wait=1', address);
  expect([refused.body.code, refused.headers.get('Retry-After')]).toEqual(['rate_limited', '5']);
  expect((await shop.find(order.id, '', address)).status).toBe(200);
  // A request from another address is answered when its time is up.
  const elsewhere = await shop.find(order.id, '?wait=1', newAddress());
  expect([elsewhere.status, elsewhere.body.order.status]).toEqual([200, 'pending']);
  stop.abort();
  await Promise.all(asking);
});

it('the webhook of an order’s payment contains the order id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-orders-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  let tell: (body: unknown) => void;
  const received = new Promise<unknown>((resolve) => {
    tell = resolve;
  });
  const receiver = createServer(async (request, response) => {
    tell(JSON.parse(await text(request)));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  closers.push(async () => receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const webhooks = join(folder, 'webhooks.json');
  const url = `http://127.0.0.1:${port}/hook`;
  await writeFile(webhooks, JSON.stringify([{ url, events: ['payment.success'] }]));
  const shop = await open({ env: { MSGSITE_WEBHOOKS: webhooks } });
  await shop.signIn();
  const { order } = (await shop.order(await shop.product(1500))).body;
  expect(await received).toMatchObject({ event: 'payment.success', reference: order.id });
  // The receiver can read the order.
  expect((await shop.ended(order.id)).status).toBe('paid');
});

it('a gateway without the site settles orders, and a site without the gateway shows them but refuses new ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-orders-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const slow = { MSGSITE_SANDBOX_SPEED: '1', MSGSITE_POLL_INTERVAL: '60' };
  const both = await openShop({ data, env: slow });
  const headers = await both.signIn();
  const productId = await both.product(1500);
  await both.setLeft(productId, 1);
  const { order } = (await both.order(productId)).body;
  await both.close();

  const gateway = await openShop({ data, only: 'gateway' });
  const wait = async () =>
    (await gateway.till?.get('/api/payments?state=ended', headers))?.body.payments.length;
  while ((await wait()) !== 1);
  expect((await gateway.call('GET', '/api/orders/x')).status).toBe(404);
  await gateway.close();

  const site = await openShop({ data, only: 'site' });
  closers.push(site.close);
  expect((await site.find(order.id)).body.order.status).toBe('paid');
  expect(await site.leftOf(productId)).toBe(0);
  await site.setLeft(productId, 1);
  expect(answerOf(await site.order(productId))).toEqual(unavailable);
});
