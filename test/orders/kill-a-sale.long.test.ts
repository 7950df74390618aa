import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTill } from '../../src/app/open-shop.js';
import { unlimited } from '../../src/base/rate-limit.js';
import { createWaits } from '../../src/base/waits.js';
import { defaultCheckout } from '../../src/orders/checkout.js';
import { createFollower } from '../../src/orders/follower.js';
import { createOrders } from '../../src/orders/orders.js';
import { openJsonOrderStore } from '../../src/orders/store-json/open.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import type { Deed } from '../payments/intents/money-bank.js';
import { createWorld, openMoney, type World } from '../payments/intents/money-under-test.js';
import { createMortal } from '../payments/intents/mortal.js';
import { collect } from '../payments/payments-under-test.js';

const items = [3, 1, 2].map((productId) => ({ productId, variantId: null, quantity: 2 }));
const leftAtFirst = 5;

/** Opens one process of a shop, on files that outlive it. */
async function openShop(world: World) {
  const mortal = createMortal();
  const clock = mortal.clock(world.clock);
  const store = await openJsonOrderStore({
    folder: join(world.data, 'orders'),
    clock,
    files: mortal.files,
    onDamaged(error) {
      throw error;
    },
  });
  const follower = createFollower({ store: async () => store, clock, rateLimiter: unlimited });
  const money = await openMoney(world, mortal, follower);
  const { log } = await openRecordedLog(world.logged);
  const orders = createOrders({
    store,
    till: createTill(money, log),
    readCheckout: async () => defaultCheckout,
    nextNumber: async () => 1,
    findProduct: async () => ({ name: 'Lamp', price: 250 }),
    rateLimiter: unlimited,
    waits: createWaits(),
    clock,
  });
  const order = () => orders.create({ items }, 'key', '127.0.0.1');

  /** Lets all clients pay, and settles what is in doubt. */
  async function liveOn(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      await money.round();
      for (const each of world.bank.book) each.status = 'Processed';
      world.clock.jump(601_000);
    }
    await money.watcher.start();
    const isPaid = async () => (await collect(money.listPayments('open'))).length === 0;
    await world.clock.advanceUntil(isPaid, 20_000);
  }

  /** Lets the time to pay run out without a payment. */
  async function expire(): Promise<void> {
    for (const each of world.bank.book) each.status = 'Expired';
    await money.watcher.start();
    const isOver = async () => (await collect(money.listPayments('open'))).length === 0;
    await world.clock.advanceUntil(isOver, 20_000);
  }

  return { mortal, store, money, order, liveOn, expire };
}

interface Way {
  readonly deed: Deed;
  readonly idempotent: boolean;
  readonly lookup: boolean;
  /** The distance between the tested steps of a short run, which starts at a random one. */
  readonly stride: number;
}

const isLongRun = process.env.MSGSITE_TEST_MONEY_RUNS !== undefined;

it.each<Way>([
  { deed: 'answers', idempotent: true, lookup: true, stride: 25 },
  { deed: 'answers', idempotent: false, lookup: false, stride: 40 },
  { deed: 'breaks after', idempotent: false, lookup: true, stride: 45 },
])(
  'a sale at a bank that $deed (idempotent $idempotent) is made once and takes its stock once if killed at any step',
  async ({ deed, stride, ...way }) => {
    let survived = false;
    let lives = 0;
    const first = isLongRun ? 0 : Math.floor(Math.random() * stride);
    for (let step = first; !survived; step += isLongRun ? 1 : stride) {
      lives += 1;
      const world = await createWorld(way);
      const { bank, clock } = world;
      const one = await openShop(world);
      await one.money.cashier();
      for (const { productId } of items) await one.store.changeLeft(productId, () => leftAtFirst);
      clock.jump(1_000);
      bank.deeds.push(deed);
      one.mortal.dieAt(step, 'after');
      const living = one.order().then(one.liveOn);
      await Promise.race([living, one.mortal.death]);
      survived = !one.mortal.isDead;
      if (survived) await living;
      await one.money.kill();

      clock.jump(1_000);
      const next = await openShop(world);
      await next.money.resolver.recover();
      bank.deeds.length = 0;
      const again = await next.order();
      await next.liveOn();
      const where = `step ${step}: ${JSON.stringify([bank.book, again])}`;
      const { orders } = await next.store.page({ limit: 10 });
      expect(
        orders.map(({ id }) => id),
        where,
      ).toEqual([again.id]);
      const isMade = bank.book.length > 0;
      const status = orders[0]?.status ?? '';
      // If the bank cannot be asked, a code that nobody received is abandoned.
      const possible = way.lookup
        ? [isMade ? 'paid' : 'failed']
        : ['expired', isMade ? 'paid' : ''];
      expect(possible, where).toContain(status);
      expect(bank.book.length, where).toBeLessThanOrEqual(1);
      const left = leftAtFirst - (status === 'paid' ? 2 : 0);
      expect(
        (await next.store.stock()).map((count) => count.left),
        where,
      ).toEqual([left, left, left]);
      expect(
        orders[0]?.items.map(({ oversold }) => oversold),
        where,
      ).toEqual([false, false, false]);
      await next.money.close();
      await next.store.close();
    }
    expect(lives).toBeGreaterThan(3);
  },
);

it('an order paid after its expiry is marked before the payment is stored, if killed at any step', async () => {
  let isSurvived = false;
  const states = new Set<string>();
  for (let step = 1; !isSurvived; step += isLongRun ? 1 : 2) {
    const world = await createWorld();
    const one = await openShop(world);
    await one.money.cashier();
    for (const { productId } of items) await one.store.changeLeft(productId, () => leftAtFirst);
    const { id } = await one.order();
    await one.expire();
    for (const each of world.bank.book) each.status = 'Processed';
    // The last poll comes a minute after the end.
    await world.clock.advance(59_900);
    one.mortal.dieAt(step, 'after');
    const isSeen = () => world.logged.some(({ flippedTo }) => flippedTo !== undefined);
    await Promise.race([world.clock.advanceUntil(isSeen, 70_000), one.mortal.death]);
    isSurvived = !one.mortal.isDead;
    await one.money.kill();

    const next = await openShop(world);
    const [payment] = await next.money.payments();
    const isMarked = (await next.store.find(id))?.corrected !== undefined;
    if (payment?.flippedTo !== undefined) expect([step, isMarked]).toEqual([step, true]);
    states.add(`${isMarked} ${payment?.flippedTo}`);
    if (payment) await next.money.observed(payment, { Data: { Status: 'Processed' } });
    expect(await next.money.payments(), `step ${step}`).toMatchObject([
      { outcome: 'expired', flippedTo: 'Processed' },
    ]);
    expect(await next.store.find(id), `step ${step}`).toMatchObject({
      status: 'expired',
      corrected: { status: 'paid', at: expect.any(Number) },
    });
    for (const { left } of await next.store.stock()) expect(left).toBe(leftAtFirst);
    expect([...world.events.keys()].map((name) => name.split('-').at(-1))).toEqual([
      'payment.expired',
    ]);
    await next.money.close();
    await next.store.close();
  }
  expect([...states]).toEqual(['false undefined', 'true undefined', 'true Processed']);
});
