import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import type { Payment } from '../../../src/payments/payment.js';
import type { Sessions } from '../../../src/payments/sessions/sessions.js';
import type { PaymentStore } from '../../../src/payments/store.js';
import { createPostgresPaymentStores } from '../../../src/payments/store-postgres/open.js';
import { watcherLabel } from '../../../src/payments/store-postgres/payment-claims.js';
import type { Settle } from '../../../src/payments/watching/settle.js';
import { createWatcher } from '../../../src/payments/watching/watcher.js';
import { createWorker } from '../../../src/storage/postgres/worker.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await emptyTestDatabase(database);
});
afterAll(() => database.close());

/** Time between two polls, in milliseconds. */
const interval = 1_000;
const payments = 100;

const payment = (id: string): Payment => ({
  id,
  type: 'qr',
  state: 'open',
  organizationId: 1,
  sessionId: 's',
  amount: 100,
  status: 'QrTokenCreated',
  statusDesc: '',
  qrToken: null,
  receiptUrl: null,
  orderNumber: null,
  expiresAt: null,
  createdAt: Date.now(),
});

const openStore = (): PaymentStore =>
  createPostgresPaymentStores(database, createWorker(database, watcherLabel), systemClock).payments;

it('a joining process receives its share of payments, and no poll is too early', async () => {
  /** The process and time of each payment's polls. */
  const looks = new Map<string, { by: string; at: number }[]>();
  const sessions = { refresh: async () => [], eraseEnded: async () => {} } as unknown as Sessions;
  const flips = { seen: async () => {}, observed: async () => {} };
  const settle = { conclude: async (seen: Payment) => seen } as unknown as Settle;

  async function watch(by: string) {
    const watcher = createWatcher({
      store: openStore(),
      sessions,
      settle,
      flips,
      clock: systemClock,
      log: silentLog(),
      interval,
      scanInterval: 100,
      onSignedIn() {},
      async poll({ id }) {
        looks.set(id, [...(looks.get(id) ?? []), { by, at: Date.now() }]);
        const facts = { status: 'QrTokenCreated' };
        return { kind: 'pending', facts } as never;
      },
    });
    await watcher.start();
    onTestFinished(() => watcher.stop());
    return watcher;
  }

  const store = openStore();
  for (let n = 0; n < payments; n += 1) await store.add(payment(`${n}`));
  const first = await watch('first');
  await expect.poll(() => first.size, { timeout: 30_000 }).toBe(payments);
  await expect.poll(() => looks.size, { timeout: 30_000 }).toBe(payments);
  const second = await watch('second');
  await expect.poll(() => second.size, { timeout: 30_000 }).toBeGreaterThanOrEqual(45);
  expect(first.size + second.size).toBeLessThanOrEqual(payments);
  const third = await watch('third');
  await expect.poll(() => third.size, { timeout: 30_000 }).toBeGreaterThanOrEqual(25);
  // Each process keeps its payments. Every payment is polled by one process.
  const since = Date.now();
  const latest = () =>
    [...looks.values()].filter((all) => all.filter(({ at }) => at > since).length > 1).length;
  await expect.poll(latest, { timeout: 60_000 }).toBe(payments);
  const watched = () => first.size + second.size + third.size;
  await expect.poll(watched, { timeout: 30_000 }).toBe(payments);

  const changes = [...looks.values()].flatMap((all) =>
    all.slice(1).flatMap(({ by, at }, n) => (all[n]?.by === by ? [] : [at - (all[n]?.at ?? at)])),
  );
  expect(changes.length).toBeGreaterThanOrEqual(60);
  // A timer can fire a few milliseconds early. A duplicate poll would be much earlier.
  expect(Math.min(...changes)).toBeGreaterThan(interval - 50);
}, 180_000);

it('a payment that was handed over to a dead process becomes free like its other payments', async () => {
  await emptyTestDatabase(database);
  const here = openStore();
  const worker = createWorker(database, watcherLabel);
  const there = createPostgresPaymentStores(database, worker, systemClock).payments;
  await here.claimAll('a');
  await there.claimAll('b');
  await here.add(payment('1'));
  await here.balance?.handOver(await worker.id(), new Map([['1-qr-1', 5_000]]));
  const nobody = () => false;
  // The payment now belongs to the other process only.
  expect(await here.takeOpen(nobody, () => {})).toEqual([]);
  await worker.leave();
  expect((await here.takeOpen(nobody, () => {})).map(({ id }) => id)).toEqual(['1']);
  expect(await here.balance?.takeHandedOver()).toEqual([]);
});

it('a payment that was handed over is claimed once, with the time of its next poll', async () => {
  await emptyTestDatabase(database);
  const here = openStore();
  const worker = createWorker(database, watcherLabel);
  const there = createPostgresPaymentStores(database, worker, systemClock).payments;
  await here.claimAll('a');
  await there.claimAll('b');
  const handedOver = payment('1');
  await here.add(handedOver);
  await here.balance?.handOver(await worker.id(), new Map([['1-qr-1', 5_000]]));
  // A new count must not make the other process poll earlier.
  expect(
    await there.takeOpen(
      () => false,
      () => {},
    ),
  ).toEqual([]);
  expect(await there.balance?.takeHandedOver()).toEqual([{ payment: handedOver, dueAt: 5_000 }]);
  expect(await there.balance?.takeHandedOver()).toEqual([]);
});
