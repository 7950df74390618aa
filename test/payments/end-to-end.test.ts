import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createSandbox } from '../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../../src/payments/providers/sandbox/server.js';
import { openSandboxStore } from '../../src/payments/providers/sandbox/store-json/open.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient, type GatewayClient, type Headers } from './gateway-client.js';

const secret = 'a secret that both sides know';

interface Received {
  readonly event: string;
  readonly paymentId: string;
  readonly status: string;
  readonly amount: number;
  readonly id: string;
}

/** Connects a client, a gateway, a sandbox server and a webhook receiver over the network. */
describe('a payment from the till to the receiver', () => {
  const received: Received[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let client: GatewayClient;
  let headers: Headers;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'msgsite-e2e-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const receiver = createServer(async (request, response) => {
      const body = await text(request);
      const digest = createHmac('sha256', secret).update(body).digest('hex');
      expect(request.headers['x-webhook-signature']).toBe(`sha256=${digest}`);
      received.push({ ...JSON.parse(body), id: request.headers['x-webhook-id'] });
      response.end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    closers.push(async () => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo;
    const events = ['payment.success', 'payment.failed', 'payment.expired'];
    const webhooks = join(folder, 'webhooks.json');
    const subscription = { url: `http://127.0.0.1:${port}/hook`, events, secret };
    await writeFile(webhooks, JSON.stringify([subscription]));
    const upstream = await openSandboxServer({
      sandbox: createSandbox({
        store: await openSandboxStore(join(folder, 'bank'), systemClock),
        clock: systemClock,
        speed: 100,
        zone: 'Asia/Almaty',
      }),
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
    });
    closers.push(upstream.close);
    const server = await startTestServer({
      only: 'gateway',
      env: {
        MSGSITE_PROVIDER: upstream.url,
        MSGSITE_WEBHOOKS: webhooks,
        MSGSITE_POLL_INTERVAL: '0.03',
      },
    });
    closers.push(server.close);
    client = await createGatewayClient(server.gateway);
    headers = (await client.signIn()).headers;
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  it.each([
    ['qr', 1500, 'payment.success', 'Processed'],
    ['qr', 1501, 'payment.failed', 'CancelledByUser'],
    ['qr', 1502, 'payment.failed', 'Rejected'],
    ['qr', 1503, 'payment.failed', 'Error'],
    ['qr', 1504, 'payment.expired', 'Expired'],
    ['qr', 1505, 'payment.expired', 'QrTokenDiscarded'],
    ['qr', 1506, 'payment.expired', 'Expired'],
    ['qr', 1507, 'payment.success', 'Processed'],
    ['qr', 1508, 'payment.success', 'Processed'],
    ['qr', 1509, 'payment.success', 'Processed'],
    ['invoice', 1500, 'payment.success', 'Processed'],
    ['invoice', 1501, 'payment.failed', 'RemotePaymentCanceled'],
    ['invoice', 1502, 'payment.failed', 'RemotePaymentRejected'],
    ['invoice', 1503, 'payment.failed', 'RemotePaymentRejected'],
    ['invoice', 1504, 'payment.expired', 'Expired'],
    ['invoice', 1505, 'payment.expired', 'Expired'],
    ['invoice', 1506, 'payment.expired', 'Expired'],
    ['invoice', 1507, 'payment.success', 'Processed'],
    ['invoice', 1508, 'payment.success', 'Processed'],
    ['invoice', 1509, 'payment.success', 'Processed'],
  ])('of type %s for %d tenge sends %s (%s)', async (type, amount, event, status) => {
    const body = type === 'qr' ? { amount } : { amount, phoneNumber: '77017654321' };
    const made = await client.post(`/api/${type}/create`, body, headers);
    const id = String(made.body.Data.QrOperationId ?? made.body.Data.Id);
    if (amount === 1509) headers = (await client.signIn()).headers;
    const seen = () => received.filter(({ paymentId }) => paymentId === id);
    while (seen().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen()).toEqual([
      expect.objectContaining({ event, type, status, amount, timestamp: expect.any(String) }),
    ]);
  });

  it('sends payment.failed for an invoice that is cancelled at the till', async () => {
    const order = { amount: 1506, phoneNumber: '77017654321' };
    const operationId = String(
      (await client.post('/api/invoice/create', order, headers)).body.Data.Id,
    );
    await client.post('/api/invoice/cancel', { operationId }, headers);
    const seen = () => received.filter(({ paymentId }) => paymentId === operationId);
    while (seen().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen()).toMatchObject([{ event: 'payment.failed', status: 'RemotePaymentCanceled' }]);
  });

  it('sends every event once', () => {
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  });
});
