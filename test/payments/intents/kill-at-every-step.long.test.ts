import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../src/base/errors.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { collect } from '../payments-under-test.js';
import { findFaults } from './check-books.js';
import type { Deed } from './money-bank.js';
import {
  createWorld,
  type MoneyUnderTest,
  openMoney,
  under,
  type World,
} from './money-under-test.js';

/** The relevant combinations of a bank's behaviour and capabilities. */
const ways: readonly { deed: Deed; idempotent: boolean; lookup: boolean }[] = [
  { deed: 'answers', idempotent: false, lookup: false },
  { deed: 'answers', idempotent: false, lookup: true },
  { deed: 'answers', idempotent: true, lookup: false },
  { deed: 'breaks after', idempotent: false, lookup: false },
  { deed: 'breaks after', idempotent: true, lookup: true },
  { deed: 'breaks before', idempotent: false, lookup: true },
  { deed: 'refuses', idempotent: false, lookup: false },
];

const { MSGSITE_TEST_MONEY_RUNS: chosenRuns, MSGSITE_TEST_MONEY_SEED: chosenSeed } = process.env;
const seed = Number(chosenSeed ?? Date.now() % 1_000_000_000);

/** By default, every sixth step is tested (every eighteenth after the first bank), starting at a random step. */
const strideOf = (way: object) => {
  if (chosenRuns !== undefined) return 1;
  return way === ways[0] ? 6 : 18;
};

interface Kind {
  readonly name: string;
  /** Creates the required records. Returns the ID of the payment to refund, or ''. */
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
    async prepare(world, money, cashier) {
      await money.gateway.as(cashier).createQr({ amount: 500 }, under('paid'));
      for (const each of world.bank.book) each.status = 'Processed';
      return world.bank.book[0]?.id ?? '';
    },
    ask: (money, cashier, paymentId) =>
      money.gateway
        .as(cashier)
        .refund({ qrOperationId: Number(paymentId), returnAmount: 20 }, under('key')),
  },
];

/** Waits until all doubts that can be settled are settled. */
async function liveOn(world: World, money: MoneyUnderTest): Promise<void> {
  for (const each of world.bank.book) each.status = 'Processed';
  for (let round = 0; round < 4; round += 1) {
    await money.round();
    world.clock.jump(301_000);
  }
  await money.watcher.start();
  const isPaid = async () => (await collect(money.listPayments('open'))).length === 0;
  await world.clock.advanceUntil(isPaid, 10_000);
}

describe.each(kinds)(
  `a $name whose process is killed at every step (seed ${seed})`,
  ({ prepare, ask }) => {
    it.each(ways)('$deed, idempotent $idempotent, lookup $lookup', async (each) => {
      const { deed, ...way } = each;
      const stride = strideOf(each);
      let survived = false;
      let step = (seed + ways.indexOf(each)) % stride;
      for (; !survived; step += stride) {
        const world = await createWorld(way);
        const { bank, clock } = world;
        const first = await openMoney(world);
        const cashier = await first.cashier();
        const paymentId = await prepare(world, first, cashier);
        clock.jump(1_000);
        bank.deeds.push(deed);
        first.mortal.dieAt(step, 'after');
        const asking = ask(first, cashier, paymentId).then(
          () => 'done',
          (error) => (error as AppError).code,
        );
        await Promise.race([asking, first.mortal.death]);
        survived = !first.mortal.isDead;
        await first.kill();

        clock.jump(1_000);
        const next = await openMoney(world);
        await next.resolver.recover();
        bank.deeds.length = 0;
        const again = await ask(next, await next.cashier(), paymentId).then(
          () => 'done',
          (error) => (error as AppError).code,
        );
        clock.jump(1);
        if (again !== 'done') expect(again).toBe('in_doubt');
        await liveOn(world, next);
        const where = `step ${step}: ${JSON.stringify(bank.book)} ${again}`;
        expect(await findFaults(world, next), where).toEqual([]);
        const doubts = await collect(next.intents.list('in_doubt'));
        const made = bank.book.length - (paymentId ? 1 : 0);
        // Without a lookup, there is no proof, so a person decides.
        if (doubts.length > 0) expect(way.lookup).toBe(false);
        // A client that repeated its request received the operation, unless it is in doubt.
        if (again === 'done') expect(made).toBe(1);
        await next.close();
      }
      expect(step).toBeGreaterThan(8);
    });
  },
);
