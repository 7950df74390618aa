import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';

async function start() {
  const folder = await makeTempFolder();
  const data = join(folder, 'data');
  const storage = inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {};
  const env = { MSGSITE_RATE_LIMIT: 'off', ...storage };
  const server = await startTestServer({ data, env });
  onTestFinished(() => server.close());
  const audit = async (...words: string[]) => {
    const run = await runCli(['audit', '--data', data, ...words], { env });
    return { ...run, lines: () => JSON.parse(run.stdout).lines as Record<string, unknown>[] };
  };
  return { ...server, folder, data, env, audit };
}

it('audit shows sign-ins and wrong codes without full phone numbers', async () => {
  const { gateway, audit } = await start();
  const { post } = await createGatewayClient(gateway);
  const { processId } = (await post('/api/auth/init', {})).body;
  await post('/api/auth/send-phone', { processId, phoneNumber: '77011234567' });
  const wrong = await post('/api/auth/verify-otp', { processId, otp: '000000' });
  expect(wrong.status).toBe(400);
  const right = await post('/api/auth/verify-otp', { processId, otp: '123456' });
  expect(right.status).toBe(200);
  const { stdout, lines } = await audit('--json');
  expect(lines()).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      kind: 'sign-in',
      who: '+7 (701) ***-**-67',
      amount: null,
      ids: {},
      outcome: 'failed',
    },
    {
      time: expect.any(String),
      kind: 'sign-in',
      who: '+7 (701) ***-**-67',
      amount: null,
      ids: {
        organization: String(right.body.organizationId),
        session: expect.stringMatching(/^[\w-]+$/),
      },
      outcome: 'success',
    },
  ]);
  expect(stdout).not.toContain(right.body.tokenSN);
  expect(stdout).not.toContain('1234567');
  expect((await audit('--kind', 'refund', '--json')).lines()).toEqual([]);
  const table = (await audit()).stdout;
  expect(table).toMatch(/^TIME +KIND +WHO +OUTCOME +IDS\n/);
  expect(table).toMatch(/sign-in +\+7 \(701\) \*{3}-\*{2}-67 +failed\n.* +success +organization=/);
});

it('audit shows changes to the site without their content', async () => {
  const { site, audit } = await start();
  const api = await createApiClient(site);
  const product = await api('POST', '/api/admin/products', { body: { name: 'Hidden words' } });
  const { id } = product.body.data;
  await api('PUT', `/api/admin/products/${id}`, { body: { price: 5 } });
  await api('DELETE', `/api/admin/products/${id}`);
  await api('PUT', '/api/admin/settings', { body: { heroTitle: 'Hidden too', theme: 'light' } });
  const { stdout, lines } = await audit('--json', '--kind', 'settings');
  const line = (ids: object) =>
    expect.objectContaining({ kind: 'settings', who: 'admin', outcome: 'success', ids });
  expect(lines()).toEqual([
    line({ product: String(id), change: 'created' }),
    line({ product: String(id), change: 'changed' }),
    line({ product: String(id), change: 'deleted' }),
    line({ settings: 'heroTitle theme', change: 'changed' }),
  ]);
  expect(stdout).not.toContain('Hidden');
});

it('audit filters by time and kind, shows the newest entries and rejects invalid flags', async () => {
  const { site, audit } = await start();
  const api = await createApiClient(site);
  for (const name of ['a', 'b', 'c']) await api('POST', '/api/admin/products', { body: { name } });
  const products = (lines: readonly Record<string, unknown>[]) =>
    lines.map(({ ids }) => (ids as { product: string }).product);
  const all = products((await audit('--json')).lines());
  expect(all).toHaveLength(3);
  expect(products((await audit('--json', '--since', '1h')).lines())).toEqual(all);
  expect((await audit('--json', '--until', '1h')).lines()).toEqual([]);
  expect(products((await audit('--json', '--limit', '2')).lines())).toEqual(all.slice(1));
  const short = (await audit('--limit', '1')).stdout;
  expect(short).toContain(`product=${all[2]}`);
  expect(short).toContain('The newest 1 of 3 are shown');
  const unknown = await audit('--kind', 'robbery');
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringMatching(/qr.*invoice/s)]);
  const invalidTime = await audit('--since', 'yesterday');
  expect([invalidTime.exitCode, invalidTime.stderr]).toEqual([
    2,
    expect.stringContaining('Invalid time for '),
  ]);
  const backwards = await audit('--since', '1h', '--until', '2h');
  expect([backwards.exitCode, backwards.stderr]).toEqual([2, expect.stringContaining('later')]);
});

it('audit shows who replayed which webhooks', async () => {
  const { folder, data, env, audit } = await start();
  const webhooks = join(folder, 'hooks.json');
  const url = 'http://127.0.0.1:9/hook';
  await writeFile(webhooks, JSON.stringify([{ url, events: ['payment.success'] }]));
  const event = {
    event: 'payment.success',
    paymentId: '1',
    type: 'qr',
    status: 'Processed',
    statusDesc: '',
    amount: 1,
    occurredAt: '2026-07-01T09:00:00.000Z',
  };
  const list = join(folder, 'list.json');
  await writeFile(list, JSON.stringify([event]));
  const words = ['webhooks', 'replay', '--from', list, '--data', data, '--webhooks', webhooks];
  const dry = await runCli([...words, '--dry-run', '--json'], { env });
  expect(JSON.parse(dry.stdout)).toMatchObject({ total: 1 });
  const replay = await runCli([...words, '--yes', '--json'], { env });
  expect(JSON.parse(replay.stdout)).toMatchObject({ failed: 1 });
  const [{ id }] = JSON.parse(replay.stdout).deliveries;
  expect((await audit('--json')).lines()).toMatchObject([
    {
      kind: 'replay',
      who: 'operator',
      ids: { delivery: id, payment: '1', url },
      outcome: 'failed',
    },
  ]);
});

it('audit shows no entries before the first action', async () => {
  const { audit } = await start();
  expect((await audit('--json')).lines()).toEqual([]);
  expect((await audit()).stdout).toBe('No matching entries.\n');
});
