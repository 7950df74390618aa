import { expect, inject, it, vi } from 'vitest';
import { openStorage } from '../../../src/app/open-storage.js';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { readConfig } from '../../../src/config/config.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { readMetrics } from '../../helpers/read-metrics.js';
import { openRecordedLog } from '../../helpers/recorded-log.js';
import { runCli } from '../../helpers/run-cli.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { startTestServer } from '../../helpers/test-server.js';
import { createGatewayClient } from '../gateway-client.js';
import { ours } from './sample.js';

const day = 86_400_000;
const dayText = (daysAgo: number) => providerDay(Date.now() - daysAgo * day, 'Asia/Almaty');

/** Opens a deployment with a payment from yesterday. The only cashier has signed out. */
async function signedOutSinceYesterday() {
  const data = await makeTempFolder();
  const env = {
    MSGSITE_DATA: data,
    MSGSITE_DATABASE: inject('postgres') ? await createTestDatabase() : '',
    MSGSITE_METRICS_PORT: '0',
    MSGSITE_RECONCILE_AT: '00:00',
  };
  const config = readConfig({ flags: {}, env, cwd: data });
  async function serve(more: Readonly<Record<string, string>> = {}) {
    const { log, lines } = await openRecordedLog();
    const server = await startTestServer({ data, env: { ...env, ...more }, log });
    return { ...server, lines, client: await createGatewayClient(server.gateway) };
  }

  const first = await serve({ MSGSITE_RECONCILE_AT: 'off' });
  const { session, headers } = await first.client.signIn();
  await first.client.post('/api/auth/logout', undefined, headers);
  await first.close();
  const organization: number = session.organizationId;
  const opener = { config, environment: env, clock: systemClock, log: silentLog(), label: 'test' };
  const storage = await openStorage('share', opener);
  const { payments, close } = await storage.payments();
  const payment = ours({ organizationId: organization, createdAt: Date.now() - day });
  await payments.add({ ...payment, state: 'open' });
  await payments.end({ ...payment, endedAt: Date.now() - day });
  await close();
  await storage.close();

  async function compared() {
    const opened = await openStorage('read', opener);
    const found = await (await opened.state()).find(`reconciled-${organization}`);
    await opened.close();
    return found;
  }
  return { data, env, organization, serve, compared };
}

const behind = async ({ metrics }: { metrics: string }) =>
  (await readMetrics(metrics)).value('reconciliation_days_behind');

it('a day without a signed-in cashier is compared after the next sign-in', async () => {
  const { organization, serve, compared } = await signedOutSinceYesterday();
  const server = await serve();
  const warned = () => server.lines.filter(({ level, days }) => level === 'warn' && days === 1);
  await vi.waitFor(() => expect(warned()).toMatchObject([{ organization }]), 20_000);
  await vi.waitFor(async () => expect(await behind(server)).toBe(1), 20_000);
  expect(await compared()).toMatchObject({ compared: [], behind: [dayText(1)] });

  await server.client.signIn();
  const done = { compared: [dayText(1)], behind: [] };
  await vi.waitFor(async () => expect(await compared()).toMatchObject(done), 20_000);
  await vi.waitFor(async () => expect(await behind(server)).toBe(0), 20_000);
  // The payment is unknown to the bank in this test.
  const { lines } = server;
  expect(lines.filter(({ difference }) => difference === 'missingThere')).toHaveLength(1);
  await server.close();
});

it('a comparison by a person is recorded for a past day, but not for the current day', async () => {
  const { data, env, serve, compared } = await signedOutSinceYesterday();
  // Without a server, only commands compare days.
  const session = `${data}/session.json`;
  const pay = (...words: string[]) =>
    runCli(['pay', ...words, '--session', session, '--json'], { env, cwd: data });
  const login = await pay('login', '--phone', '77011234567', '--otp', '123456');
  expect(login.exitCode, login.stderr).toBe(0);
  await pay('reconcile', '--day', dayText(1));
  await pay('reconcile', '--day', dayText(0));
  expect(await compared()).toMatchObject({ compared: [dayText(1)], behind: [] });

  const server = await serve();
  const { headers } = await server.client.signIn();
  for (const ago of [2, 0]) {
    await server.client.get(`/api/reconciliation?day=${dayText(ago)}`, headers);
  }
  expect(await compared()).toMatchObject({ compared: [dayText(2), dayText(1)], behind: [] });
  expect(await behind(server)).toBe(0);
  await server.close();
});
