import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/base/clock.js';
import type { Payment } from '../../src/payments/payment.js';
import { openJsonPaymentStores } from '../../src/payments/store-json/open.js';
import { root } from '../docs/machine.js';
import { evaluatePromql, metricsIn, type Scrape } from '../helpers/promql.js';
import { parseMetrics } from '../helpers/read-metrics.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { answer, startReceiver } from '../webhooks/receiver.js';
import { allEvents, writeSubscriptions } from '../webhooks/webhooks-under-test.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly description: string };
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
}

interface TestFile {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { alertname: string; exp_alerts: readonly object[] }[];
  }[];
}

const folder = join(root, 'deploy/prometheus');
const ruleFile = join(folder, 'msgsite-alerts.yml');
const testFile = join(folder, 'tests/msgsite-alerts.test.yml');
const read = (path: string) => parse(readFileSync(path, 'utf8'));
const alerts = (read(ruleFile) as RuleFile).groups.flatMap(({ rules }) => rules);
const checks = (read(testFile) as TestFile).tests.flatMap((test) => test.alert_rule_test);

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;

it
  .skipIf(!hasPromtool)
  .each([
    [['check', 'rules', ruleFile]],
    [['check', 'config', join(folder, 'prometheus.yml')]],
    [['test', 'rules', testFile]],
  ])('promtool %j succeeds', (words) => {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

it.each(alerts)(
  'the alert $alert has a test in which it fires and one in which it does not',
  ({ alert }) => {
    const outcomes = checks
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => exp_alerts.length > 0);
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
  },
);

it.each(alerts)('the alert $alert links to its instructions', ({ alert, annotations }) => {
  expect(annotations.description).toContain(`docs/operate/monitoring.md#${alert.toLowerCase()}`);
  expect(readFileSync(join(root, 'docs/operate/monitoring.md'), 'utf8')).toContain(
    `\n### ${alert}\n`,
  );
});

/** Scrapes a server as Prometheus does, with timestamps 15 seconds apart but without waiting. */
function watch(server: TestServer) {
  const scrapes: Scrape[] = [];
  const target = { job: 'msgsite', instance: 'a:9464' };
  async function scrape(): Promise<readonly Scrape[]> {
    const samples = parseMetrics(await (await fetch(server.metrics)).text());
    const at = 15 * scrapes.length;
    scrapes.push({
      at,
      samples: samples.map((sample) => ({ ...sample, labels: { ...sample.labels, ...target } })),
    });
    return scrapes;
  }
  return {
    scrape,
    /** Scrapes once more. Returns true if the alert's condition is met. */
    async holds(name: string): Promise<boolean> {
      const rule = alerts.find(({ alert }) => alert === name);
      if (!rule) throw new Error(`Unknown alert ${name}.`);
      return evaluatePromql(rule.expr, await scrape()).length > 0;
    },
  };
}

async function serve(env: Readonly<Record<string, string>> = {}, data?: string) {
  const all = { MSGSITE_METRICS_PORT: '0', MSGSITE_SANDBOX_SPEED: '50', ...env };
  const server = await startTestServer({ env: all, ...(data === undefined ? {} : { data }) });
  onTestFinished(() => server.close());
  return { ...server, ...watch(server) };
}

const day = 86_400_000;

/** Returns a payment of an unknown session. */
function payment(changes: Partial<Payment>): Payment {
  return {
    id: '1',
    type: 'qr',
    state: 'open',
    organizationId: 17,
    sessionId: 'somebody',
    amount: 100,
    status: 'Wait',
    statusDesc: '',
    qrToken: 'token',
    receiptUrl: null,
    orderNumber: null,
    expiresAt: null,
    createdAt: Date.now(),
    ...changes,
  };
}

async function addPayment(data: string, changes: Partial<Payment>): Promise<void> {
  const options = {
    folder: join(data, 'payments'),
    clock: systemClock,
    onDamaged: () => undefined,
  };
  const { payments, close } = await openJsonPaymentStores(options);
  await payments.add(payment(changes));
  await close();
}

describe('with the metrics of a real server, the condition of', () => {
  it('MsgsitePaymentUnknown is met once a payment is unknown', async () => {
    const { data, holds } = await serve();
    expect(await holds('MsgsitePaymentUnknown')).toBe(false);
    await addPayment(data, { state: 'unknown' });
    await expect.poll(() => holds('MsgsitePaymentUnknown')).toBe(true);
  });

  it('MsgsitePaymentOpenForLong is met once a payment has been open for a day', async () => {
    const { data, holds } = await serve();
    await addPayment(data, { createdAt: Date.now() - day / 2 });
    expect(await holds('MsgsitePaymentOpenForLong')).toBe(false);
    await addPayment(data, { id: '2', createdAt: Date.now() - 2 * day });
    await expect.poll(() => holds('MsgsitePaymentOpenForLong')).toBe(true);
  });

  it('MsgsitePaymentInDoubt is met once a response from the bank is lost', async () => {
    const { gateway, holds } = await serve({ MSGSITE_SANDBOX_FAULTS: 'lost@qr/create' });
    const client = await createGatewayClient(gateway);
    const { headers } = await client.signIn();
    expect(await holds('MsgsitePaymentInDoubt')).toBe(false);
    await client.post('/api/qr/create', { amount: 700 }, headers);
    await expect.poll(() => holds('MsgsitePaymentInDoubt')).toBe(true);
  });

  it('MsgsitePaymentCorrected is met once an expired payment is paid', async () => {
    const { gateway, holds } = await serve({
      MSGSITE_SANDBOX_FAULTS: 'flip=Expired',
      MSGSITE_POLL_INTERVAL: '0.05',
    });
    const client = await createGatewayClient(gateway);
    const { headers } = await client.signIn();
    const created = await client.post('/api/qr/create', { amount: 700 }, headers);
    const id = created.body.Data.QrOperationId;
    while (
      (await client.get(`/api/payments/${id}?wait=25`, headers)).body.payment.state === 'open'
    );
    await holds('MsgsitePaymentCorrected');
    expect(await holds('MsgsitePaymentCorrected')).toBe(false);
    await expect
      .poll(async () => {
        await client.get(`/api/qr/status?qrOperationId=${id}`, headers);
        return holds('MsgsitePaymentCorrected');
      })
      .toBe(true);
  });

  it('MsgsiteSessionEnded is met once the bank has ended a session', async () => {
    const { gateway, holds } = await serve();
    const client = await createGatewayClient(gateway);
    const { headers } = await client.signIn();
    await holds('MsgsiteSessionEnded');
    // In the sandbox, a payment of this amount ends the session.
    await client.post('/api/qr/create', { amount: 709 }, headers);
    expect(await holds('MsgsiteSessionEnded')).toBe(false);
    const rejected = await client.post('/api/qr/create', { amount: 700 }, headers);
    expect(rejected.body.code).toBe('session_ended');
    expect(await holds('MsgsiteSessionEnded')).toBe(true);
  });

  it('MsgsiteDeliveryDropped is met once a delivery is dropped', async () => {
    const { url } = await startReceiver(answer(410));
    const settings = await makeTempFolder();
    await writeSubscriptions(settings, [{ url, events: allEvents }]);
    const { gateway, holds } = await serve({ MSGSITE_WEBHOOKS: `${settings}/webhooks.json` });
    const client = await createGatewayClient(gateway);
    const { headers } = await client.signIn();
    await holds('MsgsiteDeliveryDropped');
    expect(await holds('MsgsiteDeliveryDropped')).toBe(false);
    await client.post('/api/qr/create', { amount: 700 }, headers);
    await expect.poll(() => holds('MsgsiteDeliveryDropped')).toBe(true);
  });

  it('MsgsiteStorageUnavailable is met while the data folder is missing, even without requests', async () => {
    const data = join(await makeTempFolder(), 'data');
    const { holds } = await serve({}, data);
    await holds('MsgsiteStorageUnavailable');
    expect(await holds('MsgsiteStorageUnavailable')).toBe(false);
    await rename(data, `${data}-elsewhere`);
    await expect.poll(() => holds('MsgsiteStorageUnavailable')).toBe(true);
    expect(await holds('MsgsiteStorageErrors')).toBe(true);
    await rename(`${data}-elsewhere`, data);
  });

  it('MsgsiteEventLoopLag is met after the event loop was blocked', async () => {
    const { holds } = await serve();
    // Repeated, because the event loop may not be measured yet.
    const afterWork = () => {
      const busyUntil = performance.now() + 700;
      while (performance.now() < busyUntil);
      return holds('MsgsiteEventLoopLag');
    };
    await expect.poll(afterWork).toBe(true);
  });
});

it('every metric in an alert is exported by msgsite or built into Prometheus', async () => {
  const { scrape, site } = await serve();
  await fetch(`${site}/health`);
  await expect
    .poll(async () => {
      const [last] = (await scrape()).slice(-1);
      const exported = new Set(['up', ...(last?.samples.map(({ name }) => name) ?? [])]);
      return alerts.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !exported.has(name));
    })
    .toEqual([]);
});
