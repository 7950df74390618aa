import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { eraseContacts } from '../../src/orders/retention.js';
import { openJsonOrderStore } from '../../src/orders/store-json/open.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import { newAddress, openShop } from './shop-under-test.js';

const token = 'a token for the desk of orders';
const secrets = ['Aigerim Zhumabayeva', '7771234509', 'Hidden street 77', 'Knock three times'];

/** Returns the texts of all files below a folder, by path. */
async function textsIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path, await readFile(path, 'latin1'));
  }
  return found;
}

const namesSecret = (text: string) => secrets.some((secret) => text.includes(secret));

it('the details of customers are only in their orders, and are erased when their time is up', async () => {
  const { log, lines } = await openRecordedLog();
  const shop = await openShop({
    log,
    env: { MSGSITE_ADMIN_TOKEN: token, MSGSITE_METRICS_PORT: '0', MSGSITE_LOG_LEVEL: 'debug' },
  });
  const admin = (method: string, path: string, body?: object) =>
    shop.call(method, `/api/admin/${path}`, { token, ...(body ? { body } : {}) });
  await shop.signIn();
  await admin('PUT', 'checkout', { contact: 'required', methods: ['delivery'] });
  const { id: productId } = (await admin('POST', 'products', { name: 'Bread', price: 450 })).body
    .data;
  const body = {
    ...{ productId, note: 'Knock three times' },
    contact: { name: 'Aigerim Zhumabayeva', phone: '+7 777 123 45 09' },
    fulfillment: { method: 'delivery', address: 'Hidden street 77' },
  };
  const made = await shop.call('POST', '/api/orders', { body, headers: newAddress() });
  const { id } = made.body.order;
  await shop.ended(id);
  for (const status of ['preparing', 'ready', 'completed']) {
    expect((await admin('PUT', `orders/${id}/fulfillment`, { status })).status).toBe(200);
  }
  const { contact: _, ...unusable } = body;
  await shop.call('POST', '/api/orders', {
    body: { ...unusable, contact: { name: secrets[0], phone: '1' } },
  });
  const pages = [`/orders/${id}`, '/', `/products/${productId}`, `/api/orders/${id}`];
  const shown = await Promise.all(
    pages.map(async (path) => (await fetch(shop.server.site + path)).text()),
  );
  const metrics = await (await fetch(`${shop.server.metrics}/metrics`)).text();
  for (const text of [JSON.stringify(made.body), ...shown, metrics, JSON.stringify(lines)]) {
    expect(text.length).toBeGreaterThan(0);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  await shop.call('POST', '/api/orders', { body: { productId }, headers: newAddress() });
  const folder = join(shop.server.data, 'orders');
  const inFiles = async () =>
    [...(await textsIn(shop.server.data))].filter(([, text]) => namesSecret(text));
  const places = (await inFiles()).map(([path]) => path);
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((path) => !path.startsWith(folder))).toEqual([]);

  const onDamaged = (error: Error) => expect.fail(error.message);
  const store = await openJsonOrderStore({ folder, clock: systemClock, onDamaged });
  const { signal } = new AbortController();
  const now = Date.now() + 90 * 86_400_000;
  const life = 90 * 86_400_000;
  expect(await eraseContacts({ store, life, now: now - 60_000, signal })).toBe(0);
  expect(await eraseContacts({ store, life, now, signal })).toBe(1);
  expect(await eraseContacts({ store, life, now, signal })).toBe(0);
  expect((await admin('GET', `orders/${id}`)).body.order).toMatchObject({
    ...{ number: 1, contact: null, note: '' },
    fulfillment: { method: 'delivery', address: null, status: 'completed' },
  });
  expect(await inFiles()).toEqual([]);
  await store.close();
  await shop.close();
});
