import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { readMetrics } from '../helpers/read-metrics.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { answer, startReceiver } from '../webhooks/receiver.js';
import { allEvents, writeSubscriptions } from '../webhooks/webhooks-under-test.js';

type Environment = Readonly<Record<string, string>>;

async function serve(env: Environment = {}): Promise<TestServer> {
  const all = { MSGSITE_METRICS_PORT: '0', MSGSITE_RATE_LIMIT: 'off', ...env };
  const server = await startTestServer({ env: all });
  onTestFinished(() => server.close());
  return server;
}

/** Returns the status of a request with a method or Host header that `fetch` would not send. */
function ask(url: string, method: string, host?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

it('metrics are served only at one path of a separate listener', async () => {
  const { metrics, site } = await serve();
  const found = await fetch(metrics);
  expect([found.status, found.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(await ask(metrics, 'HEAD')).toBe(200);
  for (const path of ['/', '/health', '/metrics/', '/metrics/x', '/api/products']) {
    expect([path, await ask(new URL(path, metrics).href, 'GET')]).toEqual([path, 404]);
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    expect([method, await ask(metrics, method)]).toEqual([method, 405]);
  }
  expect(await ask(metrics, 'GET', 'rebound.example')).toBe(421);
  expect(await ask(`${site}/metrics`, 'GET')).toBe(404);
});

it('metrics are disabled by default', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  expect(server.metrics).toBe('');
});

it('metrics count requests by listener, method, route template and status', async () => {
  const { metrics, site, gateway } = await serve();
  const api = await createApiClient(site);
  for (const id of [1, 2, 3]) await api('GET', `/api/products/${id}`);
  await fetch(site);
  await fetch(site);
  await fetch(`${site}/style.css`);
  for (const name of ['a', 'b']) await fetch(`${site}/nowhere/${name}`);
  await ask(site, 'PROPFIND');
  await fetch(`${gateway}/health`);
  const socket = connect(Number(new URL(gateway).port), '127.0.0.1');
  socket.write('no HTTP\r\n\r\n');
  await new Promise((resolve) => socket.on('data', () => undefined).on('close', resolve));
  const { value, find } = await readMetrics(metrics);
  const count = (listener: string, method: string, route: string, status: string) =>
    value('http_requests_total', { listener, method, route, status });
  expect(count('site', 'GET', '/api/products/:id', '404')).toBe(3);
  expect(count('site', 'GET', '/', '200')).toBe(2);
  expect(count('site', 'GET', 'static', '200')).toBe(1);
  expect(count('site', 'GET', 'unmatched', '404')).toBe(2);
  expect(find('http_requests_total', { listener: 'site', method: 'other' })).toHaveLength(1);
  expect(count('gateway', 'GET', '/health', '200')).toBe(1);
  expect(count('gateway', 'other', 'unmatched', '400')).toBe(1);
  const home = { listener: 'site', method: 'GET', route: '/' };
  const classes = find('http_request_duration_seconds_bucket', home).map(({ labels }) => labels.le);
  expect([classes[0], ...classes.slice(-2)]).toEqual(['0.005', '30', '+Inf']);
  expect(value('http_request_duration_seconds_count', home)).toBe(2);
  expect(value('http_request_duration_seconds_bucket', { ...home, le: '+Inf' })).toBe(2);
});

it('metrics of two servers in one process are separate', async () => {
  const [first, second] = [await serve(), await serve()];
  await fetch(`${first.site}/health`);
  expect((await readMetrics(first.metrics)).find('http_requests_total')).toHaveLength(1);
  expect((await readMetrics(second.metrics)).find('http_requests_total')).toEqual([]);
});

describe('metrics of stored records', () => {
  it('are zero if nothing is stored', async () => {
    const { metrics } = await serve();
    await expect
      .poll(async () => {
        const { samples } = await readMetrics(metrics);
        const stored = /^msgsite_(payment|deliver|sessions|storage|waiting)/;
        return samples
          .filter(({ name }) => stored.test(name))
          .map(({ name, labels, value }) => [name.slice(8), labels.state ?? '', value]);
      })
      .toEqual([
        ['storage_errors_total', '', 0],
        ['sessions_ended_total', '', 0],
        ['payments_corrected_total', '', 0],
        ['waiting_requests', '', 0],
        ['payments', 'open', 0],
        ['payments', 'in_doubt', 0],
        ['payments', 'unknown', 0],
        ['payment_oldest_open_seconds', '', 0],
        ['deliveries', 'pending', 0],
        ['deliveries', 'delivered', 0],
        ['deliveries', 'dropped', 0],
        ['delivery_oldest_pending_seconds', '', 0],
        ['sessions', '', 0],
      ]);
  });

  it('count payments, deliveries and sessions', async () => {
    const [accepting, gone, failing] = [
      await startReceiver(),
      await startReceiver(answer(410)),
      await startReceiver(answer(500)),
    ];
    const folder = await makeTempFolder();
    await writeSubscriptions(
      folder,
      [accepting, gone, failing].map(({ url }) => ({
        url,
        secret: 'a webhook secret',
        events: allEvents,
      })),
    );
    const { metrics, gateway } = await serve({
      MSGSITE_WEBHOOKS: `${folder}/webhooks.json`,
      MSGSITE_WEBHOOK_DELAYS: '0,3600',
      MSGSITE_SANDBOX_SPEED: '50',
      MSGSITE_SANDBOX_FAULTS: 'lost@qr/create x1',
    });
    const client = await createGatewayClient(gateway);
    const { headers } = await client.signIn();
    await client.post('/api/qr/create', { amount: 700 }, headers);
    const state = async () => {
      const { value } = await readMetrics(metrics);
      return [
        value('sessions'),
        value('payments', { state: 'in_doubt' }),
        ...['pending', 'delivered', 'dropped'].map((each) => value('deliveries', { state: each })),
      ];
    };
    await expect.poll(state).toEqual([1, 1, 0, 0, 0]);
    await client.post('/api/qr/create', { amount: 900 }, headers);
    await expect.poll(state).toEqual([1, 1, 1, 1, 1]);
    await expect
      .poll(async () => (await readMetrics(metrics)).value('delivery_oldest_pending_seconds'))
      .toBeGreaterThan(1);
    await client.post('/api/invoice/create', { phoneNumber: '77017654321', amount: 800 }, headers);
    await expect
      .poll(async () => (await readMetrics(metrics)).value('payments', { state: 'open' }))
      .toBe(1);
    await expect
      .poll(async () => (await readMetrics(metrics)).value('payment_oldest_open_seconds'))
      .toBeGreaterThan(0);
  });
});
