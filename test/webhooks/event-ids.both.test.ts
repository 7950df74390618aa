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
import { allEvents, deliveriesOf, openWebhooks } from './webhooks-under-test.js';

const deployment = (digit: string) => ({ instance: async () => digit.repeat(32) });
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
  'event IDs omit a damaged deployment ID, which is logged',
  async () => {
    const folder = await makeTempFolder();
    const data = join(folder, 'data');
    await mkdir(join(data, 'state', 'kept'), { recursive: true });
    await writeFile(join(data, 'format.json'), '{"format":6}');
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
