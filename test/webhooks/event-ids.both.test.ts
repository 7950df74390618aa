import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, vi } from 'vitest';
import { eventIdOf } from '../../src/events/event.js';
import { openSandboxBank } from '../commands/pay/sandbox-bank.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { startReceiver } from './receiver.js';
import { sampleEvent } from './samples.js';
import { allEvents, deliveriesOf, eventsOf, openWebhooks } from './webhooks-under-test.js';

const deployment = (digit: string) => ({ instance: async () => digit.repeat(32) });
/** While the deployment's ID cannot be read, events get IDs without it. */
const nameless = { instance: async () => undefined };
const event = sampleEvent({ organizationId: 7 });
const subscriptions = [{ url: 'http://127.0.0.1:9/', events: allEvents }];

it('the event of a payment has different IDs in two deployments', async () => {
  const ids: string[] = [];
  for (const digit of ['a', 'b', 'b']) {
    const folder = await makeTempFolder();
    const webhooks = await openWebhooks({ folder, subscriptions, changes: deployment(digit) });
    await webhooks.announce(event);
    const [delivery] = await deliveriesOf(webhooks);
    ids.push(delivery?.eventId ?? '');
  }
  expect(ids[0]).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(ids[1]).not.toBe(ids[0]);
  expect(ids[2]).toBe(ids[1]);
});

it.each([
  ['a delivery', subscriptions],
  ['an event without subscriptions', []],
])(
  "%s that was stored without the deployment's ID is not stored again under another ID",
  async (_, wanted) => {
    const folder = await makeTempFolder();
    const before = await openWebhooks({ folder, subscriptions: wanted, changes: nameless });
    await before.announce(event);
    const known = [...(await deliveriesOf(before)), ...(await eventsOf(before))];
    expect(known).toHaveLength(1);
    await before.stop();
    // A subscription added meanwhile gets the event under the same ID.
    const added = [...wanted, { url: 'http://127.0.0.1:9/added', events: allEvents }];
    const now = await openWebhooks({ folder, subscriptions: added, changes: deployment('a') });
    await now.announce(event);
    const stored = (await deliveriesOf(now)).map(({ eventId }) => eventId);
    const [first] = known;
    const id = first && ('eventId' in first ? first.eventId : first.id);
    expect(stored).toEqual(added.map(() => id));
    await now.announce({ ...event, paymentId: '1002' });
    const other = (await deliveriesOf(now)).map(({ eventId }) => eventId);
    expect(other).toHaveLength(2 * added.length);
  },
);

it("a command finds the first attempts of an event that was stored without the deployment's ID", async () => {
  const folder = await makeTempFolder();
  const receiver = await startReceiver();
  const subscribed = [{ url: receiver.url, events: allEvents }];
  const before = await openWebhooks({ folder, subscriptions: subscribed, changes: nameless });
  await before.announce(event);
  await before.stop();
  const now = await openWebhooks({ folder, changes: deployment('a') });
  await now.announce({ ...event, paymentId: '1002' });
  const { signal } = new AbortController();
  for (const paymentId of ['1001', '1002']) {
    expect(await now.sendFirstAttempts({ ...event, paymentId }, signal)).toHaveLength(1);
  }
});

it('the events of two gateways that watch the same bank operation have different IDs', async () => {
  const bank = await openSandboxBank(20);
  const received: string[] = [];
  const gateways = [];
  for (const name of ['one', 'other']) {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const webhooks = join(folder, 'webhooks.json');
    await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events: allEvents }]));
    const server = await startTestServer({
      data: join(folder, name),
      env: {
        MSGSITE_PROVIDER: bank.url,
        MSGSITE_WEBHOOKS: webhooks,
        MSGSITE_POLL_INTERVAL: '0.05',
      },
    });
    const client = await createGatewayClient(server.gateway);
    gateways.push({ server, receiver, client, ...(await client.signIn()) });
  }
  const [one, other] = gateways;
  if (!one || !other) throw new Error('Two gateways were started.');
  const { body } = await one.client.post('/api/qr/create', { amount: 1500 }, one.headers);
  const id = String(body.Data.QrOperationId);
  await other.client.post('/api/payments/adopt', { id }, other.headers);
  for (const { receiver } of gateways) {
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
    received.push(String(receiver.received[0]?.headers['x-webhook-id']));
  }
  expect(new Set(received).size).toBe(2);
  for (const { server } of gateways) await server.close();
  await bank.close();
});

it.skipIf(inject('postgres'))(
  'events get IDs without the ID of the deployment, with a log entry, while it is damaged',
  async () => {
    const folder = await makeTempFolder();
    const data = join(folder, 'data');
    await mkdir(join(data, 'state', 'kept'), { recursive: true });
    await writeFile(join(data, 'format.json'), '{"format":5}');
    await writeFile(join(data, 'state', 'kept', 'instance.jsonl'), 'damaged');
    const receiver = await startReceiver();
    const webhooks = join(folder, 'webhooks.json');
    await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events: allEvents }]));
    const { log, lines } = await openRecordedLog();
    const env = {
      MSGSITE_WEBHOOKS: webhooks,
      MSGSITE_POLL_INTERVAL: '0.05',
      MSGSITE_SANDBOX_SPEED: '20',
    };
    const server = await startTestServer({ data, env, log });
    const client = await createGatewayClient(server.gateway);
    const { headers, session } = await client.signIn();
    const { body } = await client.post('/api/qr/create', { amount: 1500 }, headers);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
    const paymentId = String(body.Data.QrOperationId);
    const { organizationId } = session;
    const payment = { organizationId, type: 'qr', paymentId, event: 'payment.success' } as const;
    expect(receiver.received[0]?.headers['x-webhook-id']).toBe(eventIdOf(payment));
    const reported = lines.filter(({ msg }) => /ID of this deployment/.test(msg));
    expect(reported).toMatchObject([{ level: 'error' }]);
    await server.close();
  },
);
