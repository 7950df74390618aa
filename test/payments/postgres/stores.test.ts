import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';

import { type Payment, paymentKey } from '../../../src/payments/payment.js';
import type { ProviderAnswer } from '../../../src/payments/providers/provider.js';
import type { Keep, PaymentStores } from '../../../src/payments/store.js';
import {
  createPostgresPaymentStores,
  expiringPaymentTables,
} from '../../../src/payments/store-postgres/open.js';
import { watcherLabel } from '../../../src/payments/store-postgres/payment-claims.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { sweepExpired } from '../../../src/storage/postgres/sweep.js';
import { createWorker, keepLease } from '../../../src/storage/postgres/worker.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import {
  emptyTestDatabase,
  losingAnswers,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';

let database: TestDatabase;
let here: PaymentStores;
let there: PaymentStores;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTestDatabase(database);
  [here, there] = [openStores('here'), openStores('there')];
});

const openStores = (label: string) =>
  createPostgresPaymentStores(database, createWorker(database, label), systemClock);

const payment = (id: string, changes: Partial<Payment> = {}): Payment => ({
  id,
  type: 'qr',
  state: 'open',
  organizationId: 1,
  sessionId: 's',
  amount: 100.5,
  status: 'QrTokenCreated',
  statusDesc: 'a\0b',
  qrToken: null,
  receiptUrl: null,
  orderNumber: null,
  expiresAt: null,
  createdAt: 1_000,
  ...changes,
});
const ended = (id: string): Payment => ({
  ...payment(id),
  state: 'ended',
  outcome: 'success',
  endedAt: 2_000,
});
const nobody = () => false;
const ignore = () => {};
const idsOf = (payments: readonly Payment[]) => payments.map(({ id }) => id).sort();
const expireLeases = (label: string) =>
  database.run(
    'expire',
    (sql) => sql`update msgsite.workers set lease_until = now() - interval '1 hour'
      where label = ${label}`,
  );

it('the payment store stores a payment until it has ended, and ends it once', async () => {
  const { payments } = here;
  const first = payment('1');
  expect(await payments.add(first)).toEqual(first);
  expect(await there.payments.add(payment('1', { amount: 7 }))).toEqual(first);
  const invoice = payment('1', { type: 'invoice', createdAt: 2_000, sessionId: 't' });
  await payments.add(invoice);
  expect(await there.payments.find({ id: '1' })).toEqual([invoice, first]);
  expect(await there.payments.find({ id: '1', type: 'qr' })).toEqual([first]);
  expect(await there.payments.find({ id: '2' })).toEqual([]);
  const seen = payment('1', { status: 'QrTokenScanned' });
  await payments.update(seen);
  expect(await payments.find({ id: '1', type: 'qr' })).toEqual([seen]);
  expect(await payments.hasOpenWith('s')).toBe(true);
  await payments.end(ended('1'));
  expect(await payments.hasOpenWith('s')).toBe(false);
  // Late changes have no effect.
  await there.payments.update(payment('1', { status: 'late' }));
  await there.payments.end({ ...ended('1'), outcome: 'failed' });
  expect(await payments.find({ id: '1', type: 'qr' })).toEqual([ended('1')]);
});

it('a process cannot overwrite payments that others have taken over after its lease expired', async () => {
  await here.payments.add(payment('1'));
  await here.payments.claimAll('a');
  expect(await here.payments.takeOpen(nobody, ignore)).toHaveLength(1);
  await expireLeases('here');
  const lease = await there.payments.claimAll('b');
  await lease?.renew();
  expect(await there.payments.takeOpen(nobody, ignore)).toHaveLength(1);
  const scanned = payment('1', { status: 'QrTokenScanned' });
  await there.payments.update(scanned);
  // The paused process resumes.
  await here.payments.update(payment('1', { status: 'before' }));
  await here.payments.end({ ...payment('1'), state: 'unknown', reason: 'no_answer', endedAt: 1 });
  expect(await there.payments.find({ id: '1' })).toEqual([scanned]);
  await there.payments.end(ended('1'));
  expect(await here.payments.find({ id: '1' })).toEqual([ended('1')]);
});

it('the payment store lists every payment in a state across pages', async () => {
  const all = Array.from({ length: 1_101 }, (_, n) => payment(String(n)));
  await Promise.all(all.map((each) => here.payments.add(each)));
  await here.payments.end(ended('7'));
  const open: Payment[] = [];
  for await (const each of there.payments.list('open')) open.push(each);
  expect(idsOf(open)).toEqual(idsOf(all.filter(({ id }) => id !== '7')));
  const over: Payment[] = [];
  for await (const each of there.payments.list('ended')) over.push(each);
  expect(over).toEqual([ended('7')]);
});

it('each open payment is claimed by one watcher', async () => {
  for (let n = 0; n < 50; n += 1) await here.payments.add(payment(String(n)));
  await Promise.all([here.payments.claimAll('a'), there.payments.claimAll('b')]);
  const taken = await Promise.all([
    here.payments.takeOpen(nobody, ignore),
    there.payments.takeOpen(nobody, ignore),
  ]);
  expect(idsOf(taken.flat())).toHaveLength(50);
  expect(new Set(idsOf(taken.flat())).size).toBe(50);
});

it('a payment stays with the process that made it if that process is a watcher', async () => {
  await here.payments.claimAll('a');
  await here.payments.takeOpen(nobody, ignore);
  await here.payments.add(payment('mine'));
  await there.payments.add(payment('anyone'));
  await there.payments.claimAll('b');
  expect(idsOf(await there.payments.takeOpen(nobody, ignore))).toEqual(['anyone']);
});

it('the payments of a dead watcher are taken over when its lease expires, and the new watcher is notified', async () => {
  const lease = await here.payments.claimAll('a');
  await here.payments.add(payment('1'));
  await here.payments.takeOpen(nobody, ignore);
  const other = await there.payments.claimAll('b');
  expect(await other?.renew()).toBe(true);
  expect(await there.payments.takeOpen(nobody, ignore)).toEqual([]);
  await expireLeases('here');
  expect(await other?.renew()).toBe(true);
  expect(idsOf(await there.payments.takeOpen(nobody, ignore))).toEqual(['1']);
  expect(await lease?.renew()).toBe(false);
  const dropped: string[] = [];
  await here.payments.claimAll('a');
  const retaken = await here.payments.takeOpen(nobody, (key) => dropped.push(key));
  expect(retaken).toEqual([]);
  expect(dropped).toEqual([paymentKey(payment('1'))]);
});

it('a watcher that stops releases its payments', async () => {
  const lease = await here.payments.claimAll('a');
  await here.payments.add(payment('1'));
  await here.payments.takeOpen(nobody, ignore);
  await lease?.release();
  await there.payments.claimAll('b');
  expect(idsOf(await there.payments.takeOpen(nobody, ignore))).toEqual(['1']);
});

it('a payment without a watcher can be claimed by one command', async () => {
  await here.payments.add(payment('1'));
  const key = paymentKey(payment('1'));
  const lease = await here.payments.claimOne(key, 'pay');
  expect(await lease?.renew()).toBe(true);
  expect(await there.payments.claimOne(key, 'pay')).toBeUndefined();
  await there.payments.claimAll('b');
  expect(await there.payments.takeOpen(nobody, ignore)).toEqual([]);
  await lease?.release();
  expect(idsOf(await there.payments.takeOpen(nobody, ignore))).toEqual(['1']);
  expect(await here.payments.claimOne(key, 'pay')).toBeUndefined();
});

it('a claim remains valid for its owner if its confirmation was lost', async () => {
  const unsure = losingAnswers(database);
  const { payments } = createPostgresPaymentStores(
    unsure,
    createWorker(unsure, 'unsure'),
    systemClock,
  );
  await payments.add(payment('1'));
  const key = paymentKey(payment('1'));
  unsure.lose('claim a payment');
  await expect(payments.claimOne(key, 'pay')).rejects.toThrow('lost');
  expect(await payments.claimOne(key, 'pay')).toBeDefined();
});

it('a claim of a single payment ends when a watcher starts, and fails while a watcher is running', async () => {
  await here.payments.add(payment('1'));
  const key = paymentKey(payment('1'));
  const lease = await here.payments.claimOne(key, 'pay');
  const watching = openStores(watcherLabel).payments;
  await watching.claimAll('serve');
  expect(await watching.takeOpen(nobody, ignore)).toEqual([]);
  expect(await lease?.renew()).toBe(false);
  await lease?.release();
  expect(idsOf(await watching.takeOpen(nobody, ignore))).toEqual(['1']);
  await here.payments.add(payment('2'));
  const other = paymentKey(payment('2'));
  expect(await here.payments.claimOne(other, 'pay')).toBeUndefined();
  // After the watcher has died, waiting commands can claim payments again.
  await expireLeases(watcherLabel);
  expect(await here.payments.claimOne(other, 'pay')).toBeDefined();
});

it('a lost claim is not restored when its process returns with a new worker ID', async () => {
  await here.payments.add(payment('1'));
  const key = paymentKey(payment('1'));
  const lost = await here.payments.claimOne(key, 'pay');
  await database.run('end leases', (sql) => sql`delete from msgsite.workers`);
  await there.payments.add(payment('2'));
  expect(await there.payments.claimOne(key, 'pay')).toBeDefined();
  expect(await lost?.renew()).toBe(false);
  expect(await lost?.renew()).toBe(false);
  await lost?.release();
  expect(await here.payments.claimOne(key, 'pay')).toBeUndefined();
});

it('the worker of a command renews its lease until it leaves', async () => {
  const clock = createManualClock();
  const worker = keepLease(createWorker(database, 'keeps'), clock);
  const untilLease = async () => {
    const [row] = await database.run(
      'look',
      (sql) => sql<{ until: string }[]>`
        select lease_until as until from msgsite.workers where label = 'keeps'`,
    );
    return row && Date.parse(row.until);
  };
  expect(await untilLease()).toBeUndefined();
  await worker.id();
  const first = (await untilLease()) ?? Number.NaN;
  // Time that passes before the worker sleeps does not wake it up.
  await expect.poll(() => clock.sleepers).toBe(1);
  await clock.advance(3_000);
  await expect.poll(untilLease).toBeGreaterThan(first);
  await worker.leave();
  expect(await untilLease()).toBeUndefined();
  expect(clock.sleepers).toBe(0);
});

it('a payment is stored even if its process has just lost its lease', async () => {
  await here.payments.claimAll('a');
  await here.payments.takeOpen(nobody, ignore);
  await database.run('end leases', (sql) => sql`delete from msgsite.workers`);
  expect(await here.payments.add(payment('1'))).toEqual(payment('1'));
});

const session = (id: string) => ({
  id,
  tokenSN: `token of ${id}`,
  vtokenSecret: 'sealed',
  organizationId: 1,
  profileId: 2,
  orgName: 'Ұйым',
  phone: '77011234567',
  createdAt: 1,
});

it('sessions, their changes and their ends are visible to other processes', async () => {
  await here.sessions.add(session('a'));
  await here.sessions.add(session('b'));
  expect((await there.sessions.ids()).sort()).toEqual(['a', 'b']);
  expect(await there.sessions.find('a')).toEqual(session('a'));
  const changed = { ...session('a'), loggedOutAt: 5 };
  await there.sessions.update(changed);
  expect(await here.sessions.find('a')).toEqual(changed);
  await here.sessions.erase(session('b'));
  await there.sessions.update(session('b'));
  expect(await there.sessions.ids()).toEqual(['a']);
  expect(await there.sessions.find('b')).toBeUndefined();
  const rows = await database.run('look', (sql) => sql`select record from msgsite.sessions`);
  expect(JSON.stringify(rows)).not.toContain('token of b');
});

/** Wraps work that then stores its answer. */
const keeping = (work: () => Promise<ProviderAnswer>) => async (keep: Keep) => {
  const answer = await work();
  await keep(answer);
  return answer;
};

it('equal requests to several processes return one answer', async () => {
  let calls = 0;
  const ask = keeping(async () => {
    calls += 1;
    await systemClock.sleep(100);
    return { Data: { n: calls } };
  });
  const answers = await Promise.all([
    here.answers.once('name', 'body', ask),
    there.answers.once('name', 'body', ask),
  ]);
  expect(answers).toEqual([{ Data: { n: 1 } }, { Data: { n: 1 } }]);
  await expect(there.answers.once('name', 'other body', ask)).rejects.toMatchObject({
    code: 'conflict',
  });
});

it('a failure is not stored, and a request of a dead process can be repeated', async () => {
  const failing = here.answers.once('name', 'body', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  void here.answers.once('name', 'body', () => new Promise(() => {}));
  await systemClock.sleep(50);
  const waiting = there.answers.once(
    'name',
    'body',
    keeping(async () => ({ done: true })),
  );
  await expireLeases('here');
  const lease = await there.payments.claimAll('b');
  await lease?.renew();
  expect(await waiting).toEqual({ done: true });
});

describe.each([
  ['entered', 'enter an answer'],
  ['kept', 'keep an answer'],
  ['failed', 'drop an answer'],
])('a connection broken while a request is %s', (_, name) => {
  /** Returns a process whose first request was interrupted, with a key that no other test uses. */
  async function cutOff() {
    const key = randomUUID();
    const unsure = losingAnswers(database);
    const worker = createWorker(unsure, 'unsure');
    const stores = createPostgresPaymentStores(unsure, worker, systemClock);
    unsure.lose(name);
    const failing = stores.answers.once(
      key,
      'body',
      keeping(async () => {
        if (name === 'drop an answer') throw new Error('no');
        return { done: true };
      }),
    );
    await expect(failing).rejects.toThrow();
    return { key, ...stores };
  }
  const ask = keeping(async () => ({ done: true }));

  it('allows the same process to repeat the request', async () => {
    const { key, answers } = await cutOff();
    expect(await answers.once(key, 'body', ask)).toEqual({ done: true });
  });

  it('allows other processes to repeat the request after the lease is renewed', async () => {
    const { key, payments } = await cutOff();
    const lease = await payments.claimAll('unsure');
    expect(await lease?.renew()).toBe(true);
    expect(await there.answers.once(key, 'body', ask)).toEqual({ done: true });
  });
});

it('an answer that cannot be stored immediately is stored later', async () => {
  let isAway = false;
  const failing: Database = {
    ...database,
    run: (name, work) =>
      isAway ? Promise.reject(new Error('The database is away.')) : database.run(name, work),
  };
  const worker = createWorker(failing, 'here');
  const { answers } = createPostgresPaymentStores(failing, worker, systemClock);
  const made = answers.once(
    'name',
    'body',
    keeping(async () => {
      isAway = true;
      return { n: 1 };
    }),
  );
  await expect(made).rejects.toThrow('away');
  await expect(worker.renew()).rejects.toThrow('away');
  isAway = false;
  await worker.renew();
  expect(
    await there.answers.once(
      'name',
      'body',
      keeping(async () => ({ n: 2 })),
    ),
  ).toEqual({ n: 1 });
});

it.each([
  ['an answer that was stored late is returned to retries', 'body', { n: 1 }],
  [
    'an answer that was stored late does not replace the answer to a later use of its key',
    'new',
    { n: 2 },
  ],
])('%s', async (_, body, expected) => {
  let keepLate: Keep = () => Promise.reject(new Error('It was not asked.'));
  const failing = here.answers.once('name', 'body', async (keep) => {
    keepLate = keep;
    throw new Error('The database is away.');
  });
  await expect(failing).rejects.toThrow('away');
  const repeat = () =>
    there.answers.once(
      'name',
      body,
      keeping(async () => ({ n: 2 })),
    );
  if (body === 'new') await repeat();
  // A repeat may have started in the meantime.
  expect(await keepLate({ n: 1 })).toBe(false);
  expect(await repeat()).toEqual(expected);
});

it('an answer expires after a day', async () => {
  await here.answers.once(
    'name',
    'body',
    keeping(async () => ({ n: 1 })),
  );
  await database.run(
    'a day later',
    (sql) => sql`update msgsite.payment_answers set expires_at = now() - interval '1 second'`,
  );
  const again = await there.answers.once(
    'name',
    'another',
    keeping(async () => ({ n: 2 })),
  );
  expect(again).toEqual({ n: 2 });
});

it('at most 10,000 sign-ins in progress are stored, and the sweeper removes old sign-ins', async () => {
  await database.run(
    'strangers',
    (sql) => sql`
      insert into msgsite.sign_ins (id, phone, expires_at)
      select 'stranger ' || n, '77011234567', now() + interval '1 minute' + n * interval '1 millisecond'
      from generate_series(1, 10000) as n`,
  );
  const ids = async (): Promise<{ first: string; count: number }[]> =>
    database.run(
      'count',
      (sql) => sql`
        select count(*)::int as count, (array_agg(id order by expires_at))[1] as first
        from msgsite.sign_ins`,
    );
  await here.signIns.setPhone('one more', '77010000000');
  expect(await ids()).toEqual([{ first: 'stranger 2', count: 10_000 }]);
  expect(await there.signIns.find('one more')).toMatchObject({ phone: '77010000000' });
  const later = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
  await sweepExpired({ database, clock: later, tables: expiringPaymentTables });
  expect(await ids()).toEqual([{ first: null, count: 0 }]);
});
