import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDelivery, type Delivery, type QueueEntry } from '../../../src/events/delivery.js';
import { subjectOf } from '../../../src/events/event.js';
import type { DeliveryStore } from '../../../src/events/store.js';
import { createPostgresDeliveryStore } from '../../../src/events/store-postgres/open.js';
import { createWorker, type Worker } from '../../../src/storage/postgres/worker.js';
import { pendingIn } from '../../helpers/delivery-store.js';
import {
  emptyTestDatabase,
  losingAnswers,
  openTestDatabase,
  type TestDatabase,
  useTestDatabase,
} from '../../helpers/test-database.js';
import { sampleEvent } from '../samples.js';

let database: TestDatabase;
let workers: [Worker, Worker];
let here: DeliveryStore;
let there: DeliveryStore;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTestDatabase(database);
  workers = [createWorker(database, 'here'), createWorker(database, 'there')];
  here = createPostgresDeliveryStore(database, workers[0]);
  there = createPostgresDeliveryStore(database, workers[1]);
});

const subscription = { id: 'sub', displayUrl: 'http://127.0.0.1/' };
const pending = (paymentId: string, occurredAt = Date.now()): Delivery =>
  createDelivery(sampleEvent({ paymentId, occurredAt }), subscription, [0, 5000]);
const ended = (paymentId: string, state: 'delivered' | 'dropped', endedAt: string): Delivery => ({
  ...pending(paymentId),
  state,
  nextAttemptAt: null,
  endedAt,
});
const expireLeases = () =>
  database.run(
    'expire',
    (sql) => sql`update msgsite.workers set lease_until = now() - interval '1 hour'
      where label = 'here'`,
  );

async function list(store: DeliveryStore, states?: Delivery['state'][]): Promise<string[]> {
  const ids: string[] = [];
  for await (const { facts } of store.list(states ? { states } : {})) ids.push(subjectOf(facts));
  return ids;
}

it('the delivery store stores a delivery once and unchanged', async () => {
  const delivery = {
    ...pending('1'),
    facts: { ...pending('1').facts, data: { odd: 'a\0b "\\ 🙂', deep: [{ n: 1.5 }, null] } },
  };
  const added = await Promise.all([here.add(delivery), there.add(delivery)]);
  expect(added.sort()).toEqual([false, true]);
  expect(await there.read(delivery.id)).toEqual(delivery);
  expect(await there.read('dlv_unknown')).toBeUndefined();
});

it('the delivery store allows one process at a time to claim a delivery', async () => {
  const delivery = pending('1');
  await here.add(delivery);
  const claims = await Promise.all([
    here.claim(delivery.id, ['pending']),
    there.claim(delivery.id, ['pending']),
    here.claim(delivery.id, ['dropped']),
  ]);
  const [held, ...none] = claims.filter((claim) => claim !== undefined);
  expect(none).toEqual([]);
  expect(await pendingIn(there)).toEqual([]);
  await held?.release();
  expect(await pendingIn(there)).toEqual([delivery.id]);
  const again = await there.claim(delivery.id, ['pending']);
  const next = ended('1', 'delivered', new Date().toISOString());
  await again?.settle(next);
  expect(await here.read(delivery.id)).toEqual(next);
  expect(await pendingIn(here)).toEqual([]);
});

it('the claims of a dead process are released when its lease expires', async () => {
  const delivery = pending('1');
  await here.add(delivery);
  const lost = await here.claim(delivery.id, ['pending']);
  await there.freeAbandoned();
  expect(await there.claim(delivery.id, ['pending'])).toBeUndefined();
  await expireLeases();
  await there.freeAbandoned();
  expect(await there.claim(delivery.id, ['pending'])).toBeDefined();
  // If the process is still running, its claim is no longer valid.
  await expect(lost?.settle(delivery)).rejects.toMatchObject({ code: 'conflict' });
  await lost?.release();
  expect(await pendingIn(there)).toEqual([]);
  // The process continues with a new worker ID.
  const other = pending('2');
  await here.add(other);
  expect(await here.claim(other.id, ['pending'])).toBeDefined();
});

it('processes that renew their leases late after a database outage keep their claims', async () => {
  const delivery = pending('1');
  await here.add(delivery);
  await here.claim(delivery.id, ['pending']);
  await there.freeAbandoned();
  await database.run(
    'expire',
    (sql) => sql`update msgsite.workers set lease_until = now() - interval '1 minute'`,
  );
  await there.freeAbandoned();
  await here.freeAbandoned();
  expect(await there.claim(delivery.id, ['pending'])).toBeUndefined();
});

it.each(['claim deliveries', 'release a delivery'])(
  'a connection broken at "%s" leaves no claim behind',
  async (name) => {
    const unsure = losingAnswers(database);
    const store = createPostgresDeliveryStore(unsure, createWorker(unsure, 'unsure'));
    const delivery = pending('1');
    await store.add(delivery);
    unsure.lose(name);
    const broken = store.claim(delivery.id, ['pending']).then((claim) => claim?.release());
    await expect(broken).rejects.toThrow('lost');
    const again = await store.claim(delivery.id, ['pending']);
    expect(again?.record).toEqual(delivery);
    // Only one process at a time can claim it.
    expect(await store.claim(delivery.id, ['pending'])).toBeUndefined();
    await again?.settle(ended('1', 'delivered', new Date().toISOString()));
    expect((await there.read(delivery.id))?.state).toBe('delivered');
  },
);

it('a closed delivery store releases its claims', async () => {
  const delivery = pending('1');
  await here.add(delivery);
  await here.claim(delivery.id, ['pending']);
  await here.close();
  expect(await pendingIn(there)).toEqual([delivery.id]);
});

it('the delivery store lists pending deliveries first, then the latest, across pages', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  for (let n = 0; n < 3; n += 1) {
    await here.add(ended(`delivered ${n}`, 'delivered', at(n)));
    await here.add(ended(`dropped ${n}`, 'dropped', at(n)));
  }
  await here.add(pending('waits'));
  expect(await list(there)).toEqual([
    'waits',
    ...['delivered 2', 'delivered 1', 'delivered 0'],
    ...['dropped 2', 'dropped 1', 'dropped 0'],
  ]);
  expect(await list(there, ['dropped'])).toHaveLength(3);
  // There is more than one page with the same time.
  const many = Array.from({ length: 1203 }, (_, n) => ended(`m${n}`, 'delivered', at(9)));
  await Promise.all(many.map((delivery) => here.add(delivery)));
  const ids = await list(there, ['delivered']);
  expect(new Set(ids).size).toBe(1206);
  expect(ids.length).toBe(1206);
});

it('the delivery store removes only deliveries that were delivered before a day', async () => {
  for (const day of ['2026-10-19', '2026-10-20', '2026-10-21']) {
    await here.add(ended(`delivered ${day}`, 'delivered', `${day}T12:00:00.000Z`));
    await here.add(ended(`dropped ${day}`, 'dropped', `${day}T12:00:00.000Z`));
  }
  await here.add(pending('old but pending', Date.parse('2026-01-01')));
  const replayed = ended('being replayed', 'delivered', '2026-10-19T12:00:00.000Z');
  await here.add(replayed);
  const claim = await there.claim(replayed.id, ['delivered']);
  expect(await here.removeEndedBefore('delivered', '2026-10-21')).toBe(2);
  expect(await here.removeEndedBefore('delivered', '2026-10-21')).toBe(0);
  await claim?.release();
  expect(await here.removeEndedBefore('delivered', '2026-10-21')).toBe(1);
  expect(await list(here, ['delivered'])).toEqual(['delivered 2026-10-21']);
  expect(await list(here, ['dropped', 'pending'])).toHaveLength(4);
  expect(await here.removeEndedBefore('dropped', '2026-10-20')).toBe(1);
  expect(await list(here, ['dropped', 'pending'])).toHaveLength(3);
});

it('the delivery store finds the payments with undelivered webhooks', async () => {
  const name = (id: string, type: 'qr' | 'invoice' = 'qr') => ({ type, id });
  await here.add({ ...pending('1'), facts: { ...pending('1').facts, data: { odd: 'a\0b' } } });
  await here.add(ended('2', 'dropped', '2026-10-19T12:00:00.000Z'));
  await here.add(ended('3', 'delivered', '2026-10-19T12:00:00.000Z'));
  const asked = [name('1'), name('1', 'invoice'), name('2'), name('3'), name('4')];
  const found = await there.undeliveredOf(asked);
  expect([...found].sort((a, b) => a.id.localeCompare(b.id))).toEqual([name('1'), name('2')]);
  expect(await there.undeliveredOf([])).toEqual([]);
});

it('the delivery store returns the next due deliveries of each receiver, independently of others', async () => {
  const lane = (id: string, payment: string, occurredAt = Date.now() - 1000) =>
    createDelivery(
      sampleEvent({ paymentId: payment, occurredAt }),
      { id, displayUrl: 'http://127.0.0.1/' },
      [0],
    );
  const backlog = Array.from({ length: 1_100 }, (_, n) => lane('slow', `b${n}`, n));
  const quick = lane('quick', 'q');
  const later = lane('quick', 'later', Date.now() + 3_600_000);
  await Promise.all([...backlog, quick, later].map((delivery) => here.add(delivery)));
  const found: QueueEntry[] = [];
  const search = (isKnown: (id: string) => boolean) =>
    there.findPending({ isKnown, onFound: (entry) => found.push(entry), onUnreadable() {} });
  expect(await search(() => false)).toBe(true);
  const dueAt = Date.parse(quick.nextAttemptAt ?? '');
  expect(found).toContainEqual({ id: quick.id, receiver: 'quick', dueAt });
  const slow = found.filter((entry) => entry.receiver === 'slow');
  expect(slow.map(({ id }) => id)).toEqual(backlog.slice(0, 1_000).map(({ id }) => id));
  expect(found).toHaveLength(1_001);
  // After the first deliveries have been claimed, the next ones are found.
  await Promise.all(backlog.slice(0, 200).map(({ id }) => here.claim(id, ['pending'])));
  const known = new Set(found.map(({ id }) => id));
  expect(await search((id) => known.has(id))).toBe(false);
  expect(found.slice(1_001).map(({ id }) => id)).toEqual(backlog.slice(1_000).map(({ id }) => id));
});

it('the search for due deliveries reads no unrelated rows', async () => {
  const single = await useTestDatabase({ connections: 1, statementTimeout: 60_000 });
  const store = createPostgresDeliveryStore(single, createWorker(single, 'counts'));
  await single.run(
    'fill',
    (sql) => sql`
      insert into msgsite.deliveries (id, state, payment, lane, next_attempt_at, listed_at, record)
      select 'd' || n, 'pending', '', 'lane' || n % 5, now() + interval '1 hour', now(), '{}'
      from generate_series(1, 20000) n`,
  );
  await single.run('analyze', (sql) => sql`vacuum analyze msgsite.deliveries`);
  const readSoFar = async () => {
    await single.run('flush', (sql) => sql`select pg_stat_force_next_flush()`);
    const [row] = await single.run(
      'count',
      (sql) => sql<{ entries: number; scans: number }[]>`
        select i.idx_tup_read::int as entries, t.seq_scan::int as scans
        from pg_stat_user_indexes i join pg_stat_user_tables t using (relid)
        where i.indexrelname = 'pending_by_lane'`,
    );
    return row ?? { entries: Number.NaN, scans: Number.NaN };
  };
  const before = await readSoFar();
  expect(await pendingIn(store)).toEqual([]);
  const after = await readSoFar();
  expect(after.scans).toBe(before.scans);
  expect(after.entries - before.entries).toBeGreaterThan(0);
  expect(after.entries - before.entries).toBeLessThan(50);
});
