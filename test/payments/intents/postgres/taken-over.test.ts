import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { AppError } from '../../../../src/base/errors.js';

import type { Database } from '../../../../src/storage/postgres/database.js';

import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../../helpers/test-database.js';
import { collect } from '../../payments-under-test.js';
import { createWorld, under, type World } from '../money-under-test.js';
import { openPostgresMoney } from './postgres-money.js';

const qr = { amount: 500 };
/** Time after which other processes have taken over, in milliseconds. */
const longStop = 45_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTestDatabase(database));

async function openProcess(world: World, label: string, own: Database = database) {
  const money = await openPostgresMoney(database, world, label, () => own);
  return { money, worker: money.worker, cashier: await money.cashier() };
}

/** Returns a database for a process that can lose it, or can be suspended once after a named statement. */
function faultyDatabase() {
  const faults = { isAway: false, after: new Map<string, () => unknown>() };
  const run: Database['run'] = async (name, work) => {
    if (faults.isAway) throw new AppError('storage_unavailable', 'The database is away.');
    const result = await database.run(name, work);
    const stop = faults.after.get(name);
    faults.after.delete(name);
    await stop?.();
    return result;
  };
  return { faults, own: { ...database, run } satisfies Database };
}

it('a payment that is stored late is made once, regardless of which process receives the repeat', async () => {
  const world = await createWorld();
  const { faults, own } = faultyDatabase();
  const first = await openProcess(world, 'first', own);
  const second = await openProcess(world, 'second');
  world.bank.deeds.push({ lateBy: 1_000 });
  const asking = first.money.gateway.as(first.cashier).createQr(qr, under('k'));
  asking.catch(() => {});
  await expect.poll(() => world.bank.asked).toHaveLength(1);
  faults.isAway = true;
  await world.clock.advance(1_000);
  await expect(asking).rejects.toMatchObject({ code: 'storage_unavailable' });
  faults.isAway = false;
  await first.worker.renew();
  await first.money.round();
  const repeated = await second.money.gateway.as(second.cashier).createQr(qr, under('k'));
  expect(repeated.Data).toMatchObject({ QrOperationId: world.bank.book[0]?.id });
  expect(world.bank.asked).toHaveLength(1);
  expect(await collect(second.money.intents.list('in_doubt'))).toEqual([]);
  await Promise.all([first.money.close(), second.money.close()]);
});

it('a repeat that started before the answer was stored returns the answer and sends nothing', async () => {
  const world = await createWorld();
  const { faults, own } = faultyDatabase();
  const first = await openProcess(world, 'first');
  const second = await openProcess(world, 'second', own);
  world.bank.deeds.push({ lateBy: 1_000 });
  const asking = first.money.gateway.as(first.cashier).createQr(qr, under('k'));
  await expect.poll(() => world.bank.asked).toHaveLength(1);
  await database.run('lose it', (sql) => sql`delete from msgsite.workers where label = 'first'`);
  // The second process has not found anything when the first one resumes and completes its call.
  faults.after.set('find in msgsite.intents', async () => {
    await world.clock.advance(1_000);
    await asking;
  });
  const repeated = await second.money.gateway.as(second.cashier).createQr(qr, under('k'));
  expect(repeated.Data).toMatchObject({ QrOperationId: world.bank.book[0]?.id });
  expect(world.bank.book).toHaveLength(1);
  await Promise.all([first.money.close(), second.money.close()]);
});

it('a process that was suspended for too long before it called the provider does not call it', async () => {
  const world = await createWorld();
  const { faults, own } = faultyDatabase();
  const { money, cashier } = await openProcess(world, 'first', own);
  faults.after.set('start an action', () => world.clock.jump(longStop));
  const asking = money.gateway.as(cashier).createQr(qr, under('k'));
  await expect(asking).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(world.bank.asked).toEqual([]);
  await money.gateway.as(cashier).createQr(qr, under('k'));
  expect(world.bank.book).toHaveLength(1);
  await money.close();
});

it('a process that is suspended with its key returns the payment that another process makes with it', async () => {
  const world = await createWorld();
  const { faults, own } = faultyDatabase();
  const first = await openProcess(world, 'first', own);
  const second = await openProcess(world, 'second');
  const ask = ({ money, cashier }: typeof first) =>
    money.gateway.as(cashier).createQr(qr, under('k'));
  faults.after.set('enter an answer', async () => {
    await database.run('lose it', (sql) => sql`delete from msgsite.workers where label = 'first'`);
    await ask(second);
  });
  expect((await ask(first)).Data).toMatchObject({ QrOperationId: world.bank.book[0]?.id });
  expect(world.bank.asked).toHaveLength(1);
  await Promise.all([first.money.close(), second.money.close()]);
});

it.each(['before it receives the answer', 'afterwards'])(
  'a process that resumes %s closes its stored call that other processes have put in doubt',
  async (when) => {
    const world = await createWorld();
    const { faults, own } = faultyDatabase();
    const first = await openProcess(world, 'first', own);
    const second = await openProcess(world, 'second');
    faults.after.set('start an action', async () => {
      await database.run(
        'lose it',
        (sql) => sql`delete from msgsite.workers where label = 'first'`,
      );
      await second.money.resolver.recover();
      expect(await collect(second.money.intents.list('in_doubt'))).toHaveLength(1);
      world.clock.jump(longStop);
      if (when !== 'afterwards') throw new AppError('storage_unavailable', 'No answer came.');
    });
    const ask = () => first.money.gateway.as(first.cashier).createQr(qr, under('k'));
    await expect(ask()).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await collect(second.money.intents.list('in_doubt'))).toEqual([]);
    expect(world.bank.asked).toEqual([]);
    await ask();
    expect(world.bank.book).toHaveLength(1);
    await Promise.all([first.money.close(), second.money.close()]);
  },
);
