import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.js';
import { isOpen } from '../../src/payments/providers/sandbox/operation.js';
import { createSandbox } from '../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../../src/payments/providers/sandbox/server.js';
import { openSandboxStore } from '../../src/payments/providers/sandbox/store-json/open.js';
import { type ApiAnswer, createApiClient } from '../helpers/api-client.js';
import { createGatewayClient } from '../payments/gateway-client.js';

/** Returns settings for the shop's gateway with which forced outcomes are noticed immediately. */
export function settingsFor(bank: { readonly url: string }) {
  return {
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_POLL_INTERVAL: '0.2',
    MSGSITE_RATE_LIMIT: 'off',
  };
}

/** Automatic steps take fifty times as long, because a busy machine may need 10 seconds to check a code. */
const speed = 0.02;

/** Opens a bank that does only what a test requests. */
export async function openBank() {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-bank-'));
  const store = await openSandboxStore(folder, systemClock);
  const server = await openSandboxServer({
    sandbox: createSandbox({ store, clock: systemClock, speed, zone: 'Asia/Almaty' }),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
  });
  async function control(method: string, path: string, body?: unknown) {
    const response = await fetch(`${server.url}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { operations: { id: number; status: string }[] };
  }
  const operations = async () => (await control('GET', 'operations')).operations;
  return {
    url: server.url,
    operations,
    /** Ends the newest payment, as the customer would in the bank's app. */
    async end(status: string): Promise<void> {
      const ids = (await operations()).map(({ id }) => id);
      await control('POST', `operations/${Math.max(...ids)}/force`, { status });
    },
    /** Ends open payments, so that they are no longer polled. */
    async endAll(): Promise<void> {
      for (const { id, status } of await operations()) {
        if (isOpen(status)) await control('POST', `operations/${id}/force`, { status: 'Expired' });
      }
    },
    setFaults: (...faults: string[]) => control('PUT', 'faults', { faults }),
    evict: () => control('POST', 'sessions/evict', { phoneNumber: cashier }),
    async close(): Promise<void> {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Bank = Awaited<ReturnType<typeof openBank>>;

const cashier = '77011234567';

/** A price whose last two digits keep the sandbox from paying automatically. */
export const openPrice = 1806;

/** Sets up a shop with a phone number, a product and a signed-in cashier. */
export async function furnishShop({ site, gateway }: { site: string; gateway: string }) {
  const call = await createApiClient(site);
  const till = await createGatewayClient(gateway);
  await call('PUT', '/api/admin/shop', { body: { name: 'Saumal', phone: '+7 701 000 11 22' } });
  const body = { name: 'Apricot jam', price: openPrice };
  const { id } = (await call('POST', '/api/admin/products', { body })).body.data;
  await till.signIn(cashier);
  return {
    product: `${site}/products/${id}`,
    signIn: () => till.signIn(cashier),
    setTheme: (theme: 'light' | 'dark'): Promise<ApiAnswer> =>
      call('PUT', '/api/admin/settings', { body: { theme } }),
    /** Creates an order and returns the address of its page. */
    async order(): Promise<string> {
      const body = { productId: id };
      return `${site}/orders/${(await call('POST', '/api/orders', { body })).body.order.id}`;
    },
    async orders(): Promise<{ id: string; status: string }[]> {
      return (await call('GET', '/api/admin/orders?limit=100')).body.orders;
    },
  };
}
