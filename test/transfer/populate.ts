import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { runCli } from '../helpers/run-cli.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { answer, type Receiver, startReceiver } from '../webhooks/receiver.js';

/** Values of a populated deployment that a test compares after a move. */
export interface Populated {
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  /** Accepts every webhook. */
  readonly good: Receiver;
  /** Rejects webhooks until the test changes it. */
  readonly bad: Receiver;
  readonly ann: string;
  readonly bob: string;
  /** The token of a logged-out user. */
  readonly revoked: string;
  readonly chats: readonly { readonly id: number; readonly messages: readonly unknown[] }[];
  /** A message that was sent with a key, and the path that it was sent to. */
  readonly keyed: { readonly path: string; readonly message: unknown };
  /** The session headers of the cashier. */
  readonly cashier: Readonly<Record<string, string>>;
  /** The response to a payment with a key. */
  readonly paid: unknown;
  /** The payment that stays open until the cashier signs in again. */
  readonly open: string;
  /** The event whose delivery waits for its second attempt. */
  readonly pendingEvent: string;
}

export const key = { 'Idempotency-Key': 'the same again' };
export const keyedBody = { text: 'once and \u0000 only \uf8f0 once' };
export const paidBody = { amount: 1000 };

/** Creates a deployment with data on JSON files, by calling a real server over HTTP. */
export async function populate(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Populated> {
  const data = join(folder, 'data');
  const good = await startReceiver();
  const bad = await startReceiver(answer(500));
  const webhooks = join(folder, 'webhooks.json');
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  await writeFile(webhooks, JSON.stringify([good, bad].map(({ url }) => ({ url, events }))));
  const env = {
    // Empty to use JSON files in every test project.
    MSGSITE_DATABASE: '',
    MSGSITE_WEBHOOKS: webhooks,
    MSGSITE_POLL_INTERVAL: '0.05',
    MSGSITE_SANDBOX_SPEED: '200',
    MSGSITE_RATE_LIMIT: 'off',
    // Makes avatar URLs independent of the server.
    MSGSITE_PUBLIC_URL: 'http://shop.example',
    ...more,
  };
  const first = await startTestServer({
    data,
    demo: true,
    env: { ...env, MSGSITE_WEBHOOK_DELAYS: '0' },
  });
  const people = await talk(first);
  const { headers: cashier } = await (await createGatewayClient(first.gateway)).signIn();
  const payments = await pay(first, cashier);
  await waitForDeliveries(data, { delivered: 3, dropped: 3 });
  await first.close();

  const second = await startTestServer({ data, env: { ...env, MSGSITE_WEBHOOK_DELAYS: '0,1' } });
  const gateway = await createGatewayClient(second.gateway);
  await gateway.post('/api/qr/create', { amount: 1002 }, cashier);
  await waitForDeliveries(data, { delivered: 4, dropped: 3, attempted: 1 });
  const evicted = await gateway.post('/api/qr/create', { amount: 1009 }, cashier);
  await second.close();
  return {
    data,
    env,
    good,
    bad,
    cashier,
    ...people,
    ...payments,
    open: String(evicted.body.Data.QrOperationId),
    pendingEvent: String(bad.received.at(-1)?.headers['x-webhook-id']),
  };
}

async function talk({ site }: TestServer) {
  const api = await createApiClient(site);
  const password = 'long enough';
  const register = async (username: string, email: string) =>
    (await api('POST', '/api/auth/register', { body: { username, email, password } })).body;
  const ann = await register('Ann', 'Ann@Shop.kz');
  const bob = await register('Бауыржан', 'bob@shop.kz');
  const eve = await register('eve😀', 'eve@shop.kz');
  await api('PUT', '/api/users/me', {
    token: ann.token,
    body: { bio: 'a \u0000 b \uf8f0 c \ud800', avatar: 'https://x.kz/a.png' },
  });
  const body = { email: eve.user.email, password };
  const again = await api('POST', '/api/auth/login', { body });
  await api('POST', '/api/auth/logout', { token: again.body.token });

  const token = ann.token;
  const create = async (body: object) => (await api('POST', '/api/chats', { token, body })).body;
  const { chat: pair } = await create({ type: 'private', participantId: bob.user.id });
  const { chat: group } = await create({ type: 'group', name: 'Group' });
  const { chat: channel } = await create({ type: 'channel', name: 'News' });
  await create({ type: 'group', name: 'Empty' });
  for (const { user } of [eve, bob]) {
    await api('POST', `/api/groups/${group.id}/members`, { token, body: { userId: user.id } });
  }
  await api('POST', `/api/channels/${channel.id}/subscribe`, { token: eve.token });
  const chats = [pair, group, channel];
  for (const [index, { id }] of [...chats, ...chats, ...chats].entries()) {
    const body = { text: `message ${index} ✓`, type: index % 2 ? 'text' : 'emoji' };
    await api('POST', `/api/chats/${id}/messages`, { token, body });
  }
  await api('POST', `/api/chats/${pair.id}/messages`, { token: bob.token, body: { text: 'hi' } });
  const path = `/api/chats/${group.id}/messages`;
  const keyed = await api('POST', path, { token, body: keyedBody, headers: key });

  const { data: products } = (await api('GET', '/api/products')).body;
  await api('DELETE', `/api/admin/products/${Math.max(...products.map(idOf))}`);
  const announcement = await api('POST', '/api/admin/announcements', { body: { title: 'Gone' } });
  await api('DELETE', `/api/admin/announcements/${announcement.body.data.id}`);
  await api('PUT', '/api/admin/settings', { body: { heroTitle: 'Moved' } });
  return {
    ann: token as string,
    bob: bob.token as string,
    revoked: again.body.token as string,
    chats: await Promise.all(
      chats.map(async ({ id }) => ({ id, messages: await messagesOf(api, token, id) })),
    ),
    keyed: { path, message: keyed.body.message },
  };
}

const idOf = ({ id }: { id: number }) => id;

export async function messagesOf(
  api: Awaited<ReturnType<typeof createApiClient>>,
  token: string,
  chatId: number,
): Promise<unknown[]> {
  return (await api('GET', `/api/chats/${chatId}/messages`, { token })).body.messages;
}

async function pay({ gateway }: TestServer, cashier: Readonly<Record<string, string>>) {
  const { post, get } = await createGatewayClient(gateway);
  const paid = await post('/api/qr/create', paidBody, { ...cashier, ...key });
  const invoice = { phoneNumber: '77017654321', amount: 1001, comment: 'for tea' };
  await post('/api/invoice/create', invoice, cashier);
  await post('/api/qr/create', { amount: 1004 }, cashier);
  const id = paid.body.Data.QrOperationId;
  await vi.waitFor(
    async () => {
      const { body } = await get(`/api/qr/status?qrOperationId=${id}`, cashier);
      expect(body.Data.Status).toBe('Processed');
    },
    { timeout: 20_000 },
  );
  const refund = { qrOperationId: id, returnAmount: 100 };
  expect((await post('/api/refund/create', refund, cashier)).status).toBe(200);
  return { paid: paid.body };
}

interface Listed {
  readonly state: string;
  readonly attempts: readonly unknown[];
}

/**
 * Waits for the expected numbers of deliveries by state. `attempted` counts pending deliveries with a failed attempt.
 */
async function waitForDeliveries(
  data: string,
  expected: { delivered: number; dropped: number; attempted?: number },
): Promise<void> {
  const { attempted = 0, ...ended } = expected;
  await vi.waitFor(
    async () => {
      const { stdout } = await runCli(['webhooks', 'list', '--data', data, '--json']);
      const { deliveries } = JSON.parse(stdout) as { deliveries: Listed[] };
      const count = (state: string) => deliveries.filter((one) => one.state === state);
      expect(count('delivered')).toHaveLength(ended.delivered);
      expect(count('dropped')).toHaveLength(ended.dropped);
      expect(count('pending').filter(({ attempts }) => attempts.length > 0)).toHaveLength(
        attempted,
      );
    },
    { timeout: 30_000, interval: 100 },
  );
}
