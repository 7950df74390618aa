import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/clock.js';
import type { AppError } from '../../../../src/base/errors.js';
import type { Cashier } from '../../../../src/payments/sessions/sessions.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../../helpers/test-database.js';
import { collect } from '../../payments-under-test.js';
import { findFaults } from '../check-books.js';
import type { Deed } from '../money-bank.js';
import { createWorld, type MoneyUnderTest, under, type World } from '../money-under-test.js';
import { openPostgresMoney } from './postgres-money.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTestDatabase(database));

const openMoney = (world: World, label: string) => openPostgresMoney(database, world, label);

async function liveOn(world: World, money: MoneyUnderTest): Promise<void> {
  for (const each of world.bank.book) each.status = 'Processed';
  for (let round = 0; round < 4; round += 1) {
    await money.round();
    world.clock.jump(301_000);
  }
  await money.watcher.start();
  for (let tries = 0; (await collect(money.listPayments('open'))).length > 0; tries += 1) {
    if (tries === 1_000) throw new Error('Payments stay open.');
    await world.clock.advance(1_000);
    await systemClock.sleep(2);
  }
}

const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'done',
    (error: AppError) => error.code,
  );

const ways: readonly { deed: Deed; idempotent: boolean; lookup: boolean }[] = [
  { deed: 'answers', idempotent: false, lookup: false },
  { deed: 'answers', idempotent: true, lookup: true },
  { deed: 'breaks after', idempotent: false, lookup: false },
  { deed: 'breaks before', idempotent: false, lookup: true },
];

interface Kind {
  readonly name: string;
  prepare(world: World, money: MoneyUnderTest, cashier: Cashier): Promise<string>;
  ask(money: MoneyUnderTest, cashier: Cashier, paymentId: string): Promise<unknown>;
}

const kinds: readonly Kind[] = [
  {
    name: 'QR payment',
    prepare: async () => '',
    ask: (money, cashier) => money.gateway.as(cashier).createQr({ amount: 500 }, under('key')),
  },
  {
    name: 'refund',
    async prepare({ bank }, money, cashier) {
      await money.gateway.as(cashier).createQr({ amount: 500 }, under('paid'));
      for (const each of bank.book) each.status = 'Processed';
      return bank.book[0]?.id ?? '';
    },
    ask: (money, cashier, paymentId) => {
      const order = { qrOperationId: Number(paymentId), returnAmount: 20 };
      return money.gateway.as(cashier).refund(order, under('key'));
    },
  },
];

const { MSGSITE_TEST_MONEY_RUNS: chosenRuns, MSGSITE_TEST_MONEY_SEED: chosenSeed } = process.env;
const seed = Number(chosenSeed ?? Date.now() % 1_000_000_000);
/** By default, every third query is tested, starting at a random query. */
const stride = chosenRuns === undefined ? 3 : 1;

describe.each(kinds)(
  `a $name whose process is killed at every query (seed ${seed})`,
  ({ prepare, ask }) => {
    it.each(ways)('$deed, idempotent $idempotent, lookup $lookup', async ({ deed, ...way }) => {
      let survived = false;
      let step = seed % stride;
      for (; !survived; step += stride) {
        await emptyTestDatabase(database);
        const world = await createWorld({ ...way, data: '' });
        const { bank, clock } = world;
        const first = await openMoney(world, 'first');
        const cashier = await first.cashier();
        const paymentId = await prepare(world, first, cashier);
        clock.jump(1_000);
        bank.deeds.push(deed);
        first.mortal.dieAt(step, 'after');
        await Promise.race([codeOf(ask(first, cashier, paymentId)), first.mortal.death]);
        survived = !first.mortal.isDead;
        await first.kill();

        clock.jump(1_000);
        const next = await openMoney(world, 'next');
        const { session } = await next.cashier(1, 2);
        expect(session.organizationId).toBe(1);
        bank.deeds.length = 0;
        // No other process has recovered the dead process's calls yet.
        const again = await codeOf(ask(next, await next.cashier(1, 3), paymentId));
        if (again !== 'done') expect(again).toBe('in_doubt');
        await liveOn(world, next);
        const where = `step ${step}: ${JSON.stringify(bank.book)} ${again}`;
        expect(await findFaults(world, next), where).toEqual([]);
        const doubts = await collect(next.intents.list('in_doubt'));
        const made = bank.book.length - (paymentId ? 1 : 0);
        // Without a lookup, there is no proof, so a person decides.
        if (doubts.length > 0) expect(way.lookup).toBe(false);
        if (again === 'done') expect(made).toBe(1);
        await next.close();
      }
      expect(step).toBeGreaterThan(5);
    });
  },
);

it('a call of a dead process is not repeated while another process takes over its key', async () => {
  const world = await createWorld({ data: '' });
  const first = await openMoney(world, 'first');
  const next = await openMoney(world, 'next');
  world.bank.deeds.push({ lateBy: 9_000 });
  const order = { amount: 500 };
  void first.gateway
    .as(await first.cashier())
    .createQr(order, under('key'))
    .catch(() => {});
  await expect.poll(() => world.bank.asked.length).toBe(1);
  // The request waits for the process that has the key. That process dies.
  const waiting = codeOf(next.gateway.as(await next.cashier(1, 2)).createQr(order, under('key')));
  await first.kill();
  for (let tries = 0; tries < 50; tries += 1) {
    await world.clock.advance(200);
    await systemClock.sleep(2);
  }
  expect(await waiting).toBe('in_doubt');
  await next.round();
  expect(await collect(next.intents.list('in_doubt'))).toMatchObject([{ key: 'key', amount: 500 }]);
  expect(world.bank.book).toHaveLength(1);
  await next.close();
});
