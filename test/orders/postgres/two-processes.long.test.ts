import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandboxBank, type SandboxBank } from '../../commands/pay/sandbox-bank.js';
import { type ApiClient, createApiClient } from '../../helpers/api-client.js';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../helpers/test-server.js';
import {
  createGatewayClient,
  type GatewayClient,
  type Headers,
} from '../../payments/gateway-client.js';

const closers: (() => Promise<unknown>)[] = [];
let bank: SandboxBank;
/** Two processes that serve everything, and one that serves only the site. */
let here: ApiClient;
let there: ApiClient;
let aside: ApiClient;
let gateway: GatewayClient;
let cashier: Headers;

beforeAll(async () => {
  bank = await openSandboxBank(1);
  closers.unshift(bank.close);
  const env = {
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_POLL_INTERVAL: '0.02',
    MSGSITE_RATE_LIMIT: 'off',
  };
  const open = async (options: TestServerOptions = {}): Promise<TestServer> => {
    const server = await startTestServer({ ...options, env });
    // Closing the first process removes the folder that all share.
    closers.unshift(server.close);
    return server;
  };
  const first = await open();
  const { data } = first;
  here = await createApiClient(first.site);
  there = await createApiClient((await open({ data })).site);
  aside = await createApiClient((await open({ data, only: 'site' })).site);
  gateway = await createGatewayClient(first.gateway);
  ({ headers: cashier } = await gateway.signIn());
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** Creates a product whose price leaves payments open for three minutes. */
async function makeProduct(hundreds: number, left: number | null = null): Promise<number> {
  const body = { name: 'Lamp', price: hundreds * 100 + 6 };
  const { id } = (await here('POST', '/api/admin/products', { body })).body.data;
  await there('PUT', `/api/admin/stock/${id}`, { body: { left } });
  return id;
}

const order = (api: ApiClient, body: object, headers: Headers = {}) =>
  api('POST', '/api/orders', { body, headers });

const wait = async (api: ApiClient, id: string) =>
  (await api('GET', `/api/orders/${id}?wait=30`)).body.order;

const leftOf = async (api: ApiClient, productId: number) =>
  (await api('GET', `/api/admin/stock/${productId}`)).body.data.left;

interface Listed {
  readonly id: string;
  readonly productId: number;
  readonly paymentId: string;
  readonly oversold: boolean;
}

async function ordersOf(productId: number): Promise<readonly Listed[]> {
  const { orders } = (await aside('GET', '/api/admin/orders?limit=100')).body;
  return orders.filter((each: Listed) => each.productId === productId);
}

async function payAll(productId: number): Promise<void> {
  const all = await ordersOf(productId);
  await Promise.all(all.map(({ paymentId }) => bank.force(paymentId, 'Processed')));
}

it('every process lets clients wait until an order of another process is paid', async () => {
  const productId = await makeProduct(10, 5);
  // The cashier has signed in elsewhere.
  const made = await order(there, { productId, quantity: 2 });
  expect([made.status, made.body.order.status]).toEqual([201, 'pending']);
  const { id } = made.body.order;
  const waiting = [here, there, aside].map((api) => wait(api, id));
  await payAll(productId);
  for (const each of await Promise.all(waiting)) expect(each).toMatchObject({ id, status: 'paid' });
  for (const api of [here, there, aside]) expect(await leftOf(api, productId)).toBe(3);
});

it('concurrent requests with one key at two processes create one order and one payment', async () => {
  const productId = await makeProduct(20);
  const headers = { 'Idempotency-Key': 'once' };
  const apis = [here, there, here, there, there, here];
  const answers = await Promise.all(apis.map((api) => order(api, { productId }, headers)));
  expect(answers.map(({ status }) => status)).toEqual(apis.map(() => 201));
  const ids = new Set(answers.map(({ body }) => body.order.id));
  expect([...ids]).toEqual((await ordersOf(productId)).map(({ id }) => id));
  const { payments } = (await gateway.get('/api/payments', cashier)).body;
  expect(payments.filter(({ amount }: { amount: number }) => amount === 2006)).toHaveLength(1);
  const other = await order(there, { productId, quantity: 2 }, headers);
  expect([other.status, other.body.code]).toEqual([409, 'conflict']);
});

it('a process that serves only the site refuses new orders and shows existing ones', async () => {
  const productId = await makeProduct(30);
  const refused = await order(aside, { productId });
  expect([refused.status, refused.body.code]).toEqual([503, 'payments_unavailable']);
  const { body } = await order(here, { productId });
  expect((await aside('GET', `/api/orders/${body.order.id}`)).body).toEqual(body);
});

it('two payments for the last piece at two processes both succeed, and one order is oversold', async () => {
  const productId = await makeProduct(40, 1);
  const made = await Promise.all([here, there].map((api) => order(api, { productId })));
  await payAll(productId);
  for (const { body } of made) {
    expect(await wait(aside, body.order.id)).toMatchObject({ status: 'paid' });
  }
  const oversold = (await ordersOf(productId)).map((each) => each.oversold);
  expect(oversold.sort()).toEqual([false, true]);
  expect(await leftOf(there, productId)).toBe(0);
  const soldOut = await order(there, { productId });
  expect([soldOut.status, soldOut.body.code]).toEqual([409, 'not_for_sale']);
});

it('a cached page follows a change of the stock at another process', async () => {
  const productId = await makeProduct(50, 1);
  const page = async () => String((await there('GET', `/products/${productId}`)).body);
  await expect.poll(page).toContain('id="buy"');
  await here('PUT', `/api/admin/stock/${productId}`, { body: { left: 0 } });
  await expect.poll(page).not.toContain('id="buy"');
});
