import { expect, inject, it, vi } from 'vitest';
import { openStorage } from '../../src/app/open-storage.js';
import type { SharedStorage } from '../../src/app/storage.js';
import { systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { readConfig } from '../../src/config/config.js';
import { createReplayed } from '../../src/events/delivery.js';
import { storedEventOf } from '../../src/events/event.js';
import { auditLine } from '../audit/samples.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer } from '../helpers/test-server.js';
import { order, paid } from '../orders/order-samples.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { intent, refund } from '../payments/money-samples.js';
import { collect } from '../payments/payments-under-test.js';
import { sampleEvent } from '../webhooks/samples.js';

const day = 86_400_000;

/** Creates a deployment with one record of each kind, all older than their retention. */
async function createOldData() {
  const data = await makeTempFolder();
  const env = {
    MSGSITE_DATA: data,
    MSGSITE_DATABASE: inject('postgres') ? await createTestDatabase() : '',
  };
  const config = readConfig({ flags: {}, env, cwd: data });
  const clock = systemClock;
  const options = { config, environment: env, clock, log: silentLog(), label: 'test' };

  async function withStorage<Result>(work: (storage: SharedStorage) => Promise<Result>) {
    const storage = await openStorage('share', options);
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  }

  /** Starts a server, sends it a request, and stops it. */
  async function serve() {
    const { log, lines } = await openRecordedLog();
    const server = await startTestServer({ data, env, log });
    const client = await createGatewayClient(server.gateway);
    await client.signIn();
    return { lines, close: server.close };
  }

  /** Returns the number of stored records of each kind. */
  const counts = () =>
    withStorage(async (storage) => {
      const stores = await storage.payments();
      const orders = await storage.orders();
      const deliveries = await storage.deliveries();
      const audit = await storage.audit();
      const now = Date.now();
      const found = {
        payments: (await collect(stores.payments.list('ended'))).length,
        refunds: (await collect(stores.refunds.list())).length,
        intents: (await collect(stores.intents.list('adopted'))).length,
        orders: (await orders.page({ limit: 10 })).orders.length,
        deliveries: (await collect(deliveries.list())).length,
        events: (await collect(deliveries.events.list())).length,
        audit: (await collect(audit.read({ until: now - 400 * day }))).length,
      };
      await orders.close();
      await deliveries.close();
      await stores.close();
      return found;
    });

  await (await serve()).close();
  await withStorage(async (storage) => {
    const at = Date.now() - 500 * day;
    const { payments, refunds, intents, close } = await storage.payments();
    const made = {
      ...{
        id: '1001',
        type: 'qr' as const,
        organizationId: 7,
        sessionId: 'a',
        amount: 5,
        createdAt: at,
      },
      ...{ status: 'S', statusDesc: '', qrToken: null, receiptUrl: null, orderNumber: null },
      expiresAt: null,
    };
    await payments.add({ ...made, state: 'open' });
    await payments.end({ ...made, state: 'ended', outcome: 'success', endedAt: at });
    await refunds.put(refund('1', { createdAt: at }));
    await intents.add(intent('2', { createdAt: at, closedAt: at, state: 'adopted' }));
    await close();
    const orders = await storage.orders();
    const ordered = await orders.add(order('a', { createdAt: at }));
    await orders.change(ordered.id, (before) => ({ ...paid(before), endedAt: at }));
    await orders.close();
    const deliveries = await storage.deliveries();
    const event = (paymentId: string) => sampleEvent({ paymentId, occurredAt: at });
    const receiver = { id: 's', displayUrl: 'http://x.kz/' };
    await deliveries.add(createReplayed(storedEventOf(event('5')), receiver));
    await deliveries.events.add(storedEventOf(event('6')));
    await deliveries.close();
    await (await storage.audit()).add(auditLine(1, { time: at }));
  });
  return { env, data, withStorage, counts, serve };
}

const everything = {
  ...{ payments: 1, refunds: 1, intents: 1, orders: 1 },
  ...{ deliveries: 1, events: 1, audit: 1 },
};

it('the service deletes no money records if the clock is a year ahead of the last start', async () => {
  const { data, withStorage, counts, serve } = await createOldData();
  expect(await counts()).toEqual(everything);
  await withStorage(async (storage) => {
    const state = await storage.state();
    // A test cannot change the clock of a database.
    await state.change('clock', (clock) => clock && { ...clock, time: clock.time - 410 * day });
  });
  const first = await serve();
  await first.close();
  expect(await counts()).toEqual(everything);
  const logged = first.lines.filter(({ cause }) => cause === 'start');
  expect(logged).toMatchObject([{ level: 'error' }]);
  expect(logged[0]?.msg).toMatch(/No money records are deleted .* Check the clock/);

  // A restart does not end the hold.
  await (await serve()).close();
  expect(await counts()).toEqual(everything);
  if (!inject('postgres')) {
    const check = await runCli(['data', 'check', '--data', data, '--json']);
    expect([check.exitCode, JSON.parse(check.stdout).findings]).toEqual([
      0,
      [
        expect.objectContaining({
          severity: 'note',
          message: expect.stringMatching(/another 2[34] h/),
        }),
      ],
    ]);
  }

  await withStorage(async (storage) => {
    const state = await storage.state();
    await state.change('clock', (clock) => clock && { ...clock, ranFor: clock.ranFor + day });
  });
  const last = await serve();
  // Some audit log entries may remain for a while.
  const gone = Object.fromEntries(Object.keys(everything).map((kind) => [kind, 0]));
  const left = async () => expect({ ...(await counts()), audit: 0 }).toEqual(gone);
  await vi.waitFor(left, { timeout: 20_000 });
  await last.close();
});
