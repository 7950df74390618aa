import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../shop-under-test.js';

let shop: Shop;
let product: number;

beforeAll(async () => {
  // An amount ending in 06 stays open for long enough.
  shop = await openShop({ env: { MSGSITE_SANDBOX_SPEED: '1', MSGSITE_RATE_LIMIT: 'off' } });
  await shop.signIn();
  product = await shop.product(1806);
});
afterAll(() => shop.close());

/** Sends the form of the product page as a browser does. */
async function send(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${shop.server.site}/orders`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: 'text/html', ...headers },
    body: new URLSearchParams(fields),
  });
  return { response, text: await response.text(), location: response.headers.get('location') };
}

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(shop.server.site + path, {
    headers: { Accept: 'text/html', ...headers },
  });
  return { response, text: await response.text() };
}

test('the order form redirects to the order page, which is neither cached nor indexed', async () => {
  const fields = { productId: String(product), quantity: '2', key: 'form-1' };
  const { response, location } = await send(fields);
  expect(response.status).toBe(303);
  expect(location).toMatch(/^\/orders\/[\w-]{22}$/);
  expect((await send(fields)).location).toBe(location);
  expect((await send({ ...fields, quantity: '3' })).location).not.toBe(location);

  const page = await open(location ?? '');
  expect(page.response.status).toBe(200);
  expect(page.response.headers.get('cache-control')).toBe('no-store');
  expect(page.text).toContain('<meta name="robots" content="noindex">');
  expect(page.text).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
  expect(page.text).toContain('data-status="pending"');
});

test('the form of a product page makes one order, however often it is sent, and each view another', async () => {
  const view = async () => {
    const { text } = await open(`/products/${product}`);
    const keys = [...text.matchAll(/<input type="hidden" name="key" value="([^"]+)">/g)];
    expect(keys).toHaveLength(1);
    return keys[0]?.[1] ?? '';
  };
  const [first, second] = [await view(), await view()];
  expect(first).not.toBe(second);
  const fields = { productId: String(product), quantity: '1' };
  const [one, again] = await Promise.all([1, 2].map(() => send({ ...fields, key: first })));
  expect(one?.response.status).toBe(303);
  expect(again?.location).toBe(one?.location);
  expect((await send({ ...fields, key: first })).location).toBe(one?.location);
  expect((await send({ ...fields, key: second })).location).not.toBe(one?.location);
});

test.each([
  ['en', 'Waiting for the payment'],
  ['ru', 'Ждём оплату'],
  ['kk', 'Төлем күтілуде'],
])('the order page and the dialog are in the language %s', async (language, words) => {
  const { location } = await send({ productId: String(product), key: 'form-2' });
  const page = await open(`${location}?lang=${language}`);
  expect(page.text).toContain(words);
  expect(page.text).toContain(`<html lang="${language}"`);
  const dialog = await open('/orders/dialog', { 'Accept-Language': language });
  expect(dialog.text).toContain(`lang="${language}"`);
});

test.each([
  ['an unknown order', '/orders/q83vEjRWeJCrze8SNFZ4kA'],
  ['an invalid order id', '/orders/%3Cb%3E'],
])('%s is answered with a 404 page', async (_, path) => {
  const { response, text } = await open(path);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(text).not.toContain('<b>');
});

test.each<[string, Record<string, string>, Record<string, string>, number]>([
  ['a form of another site', { key: 'a' }, { Origin: 'https://evil.example' }, 403],
  ['a form of another site by Sec-Fetch-Site', {}, { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['no product', { productId: '' }, {}, 400],
  ['an unknown product', { productId: '999999' }, {}, 404],
  ['more pieces than can be bought', { quantity: '100' }, {}, 400],
  ['JSON', {}, { 'Content-Type': 'application/json' }, 415],
  ['a form that is too large', { more: 'x'.repeat(11_000) }, {}, 413],
])('an order form with %s is refused with a page', async (_, fields, headers, status) => {
  const { response } = await send({ productId: String(product), ...fields }, headers);
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('text/html');
});

test('an order form for a sold-out or free product is refused with a page', async () => {
  const [gone, free] = [await shop.product(1506), await shop.product(0)];
  await shop.setLeft(gone, 0);
  for (const productId of [gone, free]) {
    const { response } = await send({ productId: String(productId) });
    expect(response.status).toBe(409);
    expect(response.headers.get('content-type')).toContain('text/html');
  }
});
