import { beforeEach, describe, expect, it } from 'vitest';
import { compareNewestFirst, isOversold, keyLife, type Order } from '../../src/orders/order.js';
import type { OrderStore } from '../../src/orders/store.js';
import type { ManualClock } from '../helpers/manual-clock.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { hashOf, idOf, order, oversold, paid, pending, tea } from './order-samples.js';

/** A storage that a test can open as several processes. */
export interface OrdersUnderTest {
  open(): Promise<OrderStore>;
}

const day = 86_400_000;

/** Describes every order storage; `prepare` creates an empty one for each test. */
export function describeOrderStores(
  name: string,
  prepare: (clock: ManualClock) => Promise<OrdersUnderTest>,
): void {
  let clock: ManualClock;
  let here: OrderStore;
  let there: OrderStore;
  let reopen: () => Promise<void>;
  beforeEach(async () => {
    clock = createManualClock();
    const under = await prepare(clock);
    const opened: OrderStore[] = [];
    reopen = async () => {
      [here, there] = [await under.open(), await under.open()];
      opened.push(here, there);
    };
    await reopen();
    return async () => {
      await Promise.all(opened.map((store) => store.close()));
    };
  });

  /** Returns an order created now. */
  const fresh = (id: string, changes: Partial<Order> = {}) =>
    order(id, { createdAt: clock.now(), ...changes });

  describe(`${name}: orders`, () => {
    it('are found unchanged by every process, with later changes', async () => {
      const made = fresh('a', {
        items: [tea({ name: 'Чай \0 \uf8f0', amount: 0.1 })],
        amount: 0.1,
      });
      expect(await here.add(made)).toEqual(made);
      expect(await there.find(made.id)).toEqual(made);
      expect(await there.change(made.id, pending)).toEqual(pending(made));
      expect(await here.find(made.id)).toEqual(pending(made));
      const failed = { ...pending(made), status: 'failed', endedAt: clock.now() } as const;
      expect(await here.change(made.id, () => failed)).toEqual(failed);
      expect(await there.find(made.id)).toEqual(failed);
      expect(await there.find(idOf('b'))).toBeUndefined();
    });

    it('stay unchanged if a change returns nothing or throws', async () => {
      const made = await here.add(fresh('a'));
      expect(await there.change(made.id, () => undefined)).toEqual(made);
      const refusal = there.change(made.id, () => {
        throw new Error('refused');
      });
      await expect(refusal).rejects.toThrow('refused');
      expect(await here.find(made.id)).toEqual(made);
      expect(await here.change(idOf('b'), pending)).toBeUndefined();
    });

    it('are changed by one process at a time', async () => {
      await here.add(fresh('a'));
      const changes = Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? here : there).change(idOf('a'), (before) => ({
          ...before,
          profileId: before.profileId + 1,
        })),
      );
      await Promise.all(changes);
      expect(await here.find(idOf('a'))).toMatchObject({ profileId: 27 });
    });

    it('can be removed, even twice', async () => {
      await here.add(fresh('a'));
      await Promise.all([here.remove(idOf('a')), there.remove(idOf('a'))]);
      expect(await here.find(idOf('a'))).toBeUndefined();
      expect((await there.page({ limit: 9 })).orders).toEqual([]);
    });
  });

  describe(`${name}: keys of orders`, () => {
    const keyHash = hashOf('key');

    it('find their orders in every process', async () => {
      const first = await here.add(fresh('a', { keyHash }));
      expect(await there.findByKey(keyHash)).toEqual(first);
      await here.change(first.id, pending);
      expect(await there.add(fresh('b', { keyHash }))).toEqual(pending(first));
      expect(await here.find(idOf('b'))).toBeUndefined();
      expect(await here.findByKey(hashOf('other'))).toBeUndefined();
      expect(await there.add(fresh('c', { keyHash: hashOf('other') }))).toMatchObject({
        id: idOf('c'),
      });
    });

    it('deduplicate concurrent orders at several processes', async () => {
      for (let round = 0; round < 5; round += 1) {
        const hash = hashOf(`round${round}`);
        const adds = Array.from({ length: 8 }, (_, n) =>
          (n % 2 ? here : there).add(fresh(`${round}-${n}`, { keyHash: hash })),
        );
        const ids = new Set((await Promise.all(adds)).map(({ id }) => id));
        expect(ids.size).toBe(1);
        expect(await here.findByKey(hash)).toMatchObject({ id: [...ids][0] });
        expect((await here.page({ limit: 99 })).orders).toHaveLength(round + 1);
      }
    });

    it('are valid for 24 hours, and can then be used for another order, even concurrently', async () => {
      const first = await here.add(fresh('a', { keyHash }));
      await clock.advance(keyLife - 1);
      expect(await there.add(fresh('b', { keyHash }))).toEqual(first);
      await clock.advance(1);
      expect(await there.findByKey(keyHash)).toBeUndefined();
      // On files, a running process caches which days exist.
      await reopen();
      const adds = await Promise.all(
        [here, there, here, there].map((store, n) => store.add(fresh(`c${n}`, { keyHash }))),
      );
      expect(new Set(adds.map(({ id }) => id)).size).toBe(1);
      expect(await here.findByKey(keyHash)).toEqual(adds[0]);
      expect(await here.find(first.id)).toEqual(first);
      expect((await here.page({ limit: 9 })).orders).toHaveLength(2);
    });

    it.each([
      ['ahead by 25 hours', 25 * 3_600_000],
      ['ahead by two years', 730 * day],
    ])(
      'are valid for 24 hours of running time after the wall clock has jumped %s',
      async (_, step) => {
        const start = clock.monotonic();
        const ranFor = () => 5 * day + clock.monotonic() - start;
        Object.assign(clock, { ranFor });
        await reopen();
        const ended = { status: 'failed', endedAt: clock.now() } as const;
        const first = await here.add(fresh('a', { keyHash, ranAt: ranFor() }));
        await here.change(first.id, (order) => ({ ...order, ...ended }));
        clock.stepWallClock(step);
        const tidy = async () => {
          await here.removeExpiredKeys(clock.now());
          return here.removeEndedBefore(new Date(clock.now()).toISOString().slice(0, 10));
        };
        expect(await tidy()).toBe(0);
        expect(await there.findByKey(keyHash)).toMatchObject({ id: first.id });
        expect(await there.add(fresh('b', { keyHash, ranAt: ranFor() }))).toMatchObject(ended);
        await clock.advance(day - 1);
        expect(await tidy()).toBe(0);
        expect(await there.findByKey(keyHash)).toMatchObject({ id: first.id });
        await clock.advance(1);
        expect(await there.findByKey(keyHash)).toBeUndefined();
        await clock.advance(day);
        expect(await tidy()).toBe(1);
        const next = await there.add(fresh('c', { keyHash, ranAt: ranFor() }));
        expect(next).toMatchObject({ id: idOf('c') });
      },
    );

    it('are free once their order is removed', async () => {
      await here.add(fresh('a', { keyHash }));
      await there.remove(idOf('a'));
      expect(await here.findByKey(keyHash)).toBeUndefined();
      expect(await here.add(fresh('b', { keyHash }))).toMatchObject({ id: idOf('b') });
    });

    it('that were reused are not removed with the previous order', async () => {
      await here.add(fresh('a', { keyHash }));
      await clock.advance(keyLife);
      const next = await there.add(fresh('b', { keyHash }));
      await here.remove(idOf('a'));
      expect(await there.findByKey(keyHash)).toEqual(next);
    });
  });

  describe(`${name}: the stock`, () => {
    it('contains the set counts of counted products', async () => {
      expect(await here.stock()).toEqual([]);
      expect(await here.leftOf(3)).toBeNull();
      const seen: unknown[] = [];
      const set = (store: OrderStore, productId: number, left: number | null) =>
        store.changeLeft(productId, (before) => {
          seen.push(before);
          return left;
        });
      expect(await set(here, 10, 4)).toBe(4);
      expect(await set(there, 3, 1_000_000)).toBe(1_000_000);
      expect(await set(there, 10, 0)).toBe(0);
      expect(seen).toEqual([null, null, 4]);
      expect(await here.stock()).toEqual([
        { productId: 3, left: 1_000_000 },
        { productId: 10, left: 0 },
      ]);
      expect(await there.leftOf(10)).toBe(0);
      expect(await set(here, 3, null)).toBeNull();
      expect(await there.stock()).toEqual([{ productId: 10, left: 0 }]);
      expect(await set(there, 3, 2)).toBe(2);
    });

    it('stays unchanged if a change throws', async () => {
      const refuse = () => {
        throw new Error('refused');
      };
      await expect(here.changeLeft(3, refuse)).rejects.toThrow('refused');
      expect(await there.leftOf(3)).toBeNull();
      await here.changeLeft(3, () => 5);
      await expect(there.changeLeft(3, refuse)).rejects.toThrow('refused');
      expect(await here.leftOf(3)).toBe(5);
    });

    it('loses no concurrent change of several processes, even at the first count', async () => {
      const changes = Array.from({ length: 12 }, (_, n) =>
        (n % 2 ? here : there).changeLeft(3, (left) => (left ?? 0) + 1),
      );
      await Promise.all(changes);
      expect(await here.leftOf(3)).toBe(12);
    });

    it('is reduced once by an order when it is paid', async () => {
      await here.changeLeft(3, () => 5);
      await here.changeLeft(4, () => 5);
      const made = await here.add(fresh('a'));
      await here.change(made.id, pending);
      expect(await there.leftOf(3)).toBe(5);
      const first = await there.change(made.id, paid);
      expect(first).toEqual(paid(made));
      expect(await here.change(made.id, paid)).toEqual(paid(made));
      expect(await here.stock()).toEqual([
        { productId: 3, left: 3 },
        { productId: 4, left: 5 },
      ]);
    });

    it('never falls below 0, and an order paid beyond it is marked as oversold', async () => {
      await here.changeLeft(3, () => 3);
      for (const id of ['a', 'b', 'c']) {
        const made = await here.add(fresh(id));
        await there.change(made.id, paid);
      }
      expect(await here.leftOf(3)).toBe(0);
      const { orders } = await here.page({ limit: 9 });
      const short = orders.filter(isOversold).map(({ id }) => id);
      expect(short.sort()).toEqual([idOf('b'), idOf('c')]);
      expect(orders.every(({ status }) => status === 'paid')).toBe(true);
    });

    it('is not affected by orders of an uncounted product', async () => {
      const made = await here.add(fresh('a'));
      expect(await here.change(made.id, () => oversold(paid(made)))).toEqual(paid(made));
      expect(await there.stock()).toEqual([]);
    });

    it('counts each payment once, whichever processes report it', async () => {
      await here.changeLeft(3, () => 7);
      const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (const id of ids) await here.add(fresh(id));
      const ends = [...ids, ...ids].map((id, n) =>
        (n % 2 ? here : there).change(idOf(id), (before) =>
          before.status === 'paid' ? undefined : paid(before),
        ),
      );
      await Promise.all(ends);
      expect(await here.leftOf(3)).toBe(0);
      const { orders } = await there.page({ limit: 9 });
      expect(orders.every(({ status }) => status === 'paid')).toBe(true);
      expect(orders.filter(isOversold)).toHaveLength(3);
    });

    it('is reduced for all items of an order, and only items with too few are oversold', async () => {
      for (const productId of [3, 4, 5]) await here.changeLeft(productId, () => productId - 2);
      const items = [5, 3, 9, 4].map((productId) => tea({ productId }));
      const made = await here.add(fresh('a', { items, amount: 98 }));
      const stored = await there.change(made.id, paid);
      expect(stored?.items.map((item) => item.oversold)).toEqual([false, true, false, false]);
      expect(await here.stock()).toEqual([
        { productId: 3, left: 0 },
        { productId: 4, left: 0 },
        { productId: 5, left: 1 },
      ]);
    });

    it('does not make baskets with the same products in another order wait forever', async () => {
      const baskets = Array.from({ length: 12 }, (_, n) => {
        const items = [3, 4, 5].map((productId) => tea({ productId, quantity: 1 }));
        return fresh(`b${n}`, { items: n % 2 ? items : items.reverse(), amount: 73.5 });
      });
      for (const productId of [3, 4, 5]) await here.changeLeft(productId, () => 10);
      for (const basket of baskets) await here.add(basket);
      await Promise.all(baskets.map(({ id }, n) => (n % 3 ? here : there).change(id, paid)));
      expect((await here.stock()).map(({ left }) => left)).toEqual([0, 0, 0]);
      const { orders } = await there.page({ limit: 20 });
      const short = orders.flatMap(({ items }) => items.filter((item) => item.oversold));
      expect(short).toHaveLength(6);
    });
  });

  describe(`${name}: pages of orders`, () => {
    it('contain all orders of every status, newest first', async () => {
      const all: Order[] = [];
      for (let n = 0; n < 30; n += 1) {
        // Every third order has the time of the previous one; they span several days.
        const createdAt = clock.now() + (n % 3 === 2 ? n - 1 : n) * 3_600_000 * 2;
        const made = await here.add(order(`n${(n * 7) % 30}`, { createdAt }));
        const ends = [made, pending(made), paid(made)];
        const kept = ends[n % 3] as Order;
        all.push((await there.change(made.id, () => kept)) ?? made);
      }
      all.sort(compareNewestFirst);
      for (const limit of [1, 7, 29, 30, 100]) {
        const found: Order[] = [];
        for (let hasMore = true; hasMore; ) {
          const page = await there.page({ after: found.at(-1), limit });
          if (page.hasMore) expect(page.orders).toHaveLength(limit);
          found.push(...page.orders);
          hasMore = page.hasMore;
        }
        expect(found, `of ${limit}`).toEqual(all);
      }
    });

    it('are empty without orders', async () => {
      expect(await here.page({ limit: 5 })).toEqual({ orders: [], hasMore: false });
      const made = await here.add(fresh('a'));
      expect(await here.page({ limit: 5, after: made })).toEqual({ orders: [], hasMore: false });
    });
  });

  describe(`${name}: retention`, () => {
    it('removes only orders that ended on an earlier day', async () => {
      const text = (time: number) => new Date(time).toISOString().slice(0, 10);
      const start = clock.now();
      const kept = [fresh('open'), pending(fresh('pending'))];
      for (const each of kept) await here.add(each);
      const ended = ['a', 'b', 'c'].map((id, n) =>
        order(id, { createdAt: start, ...{ status: 'failed', endedAt: start + n * day } }),
      );
      for (const each of ended) {
        await here.add({ ...each, status: 'unknown', endedAt: null });
        await there.change(each.id, () => each);
      }
      await clock.advance(5 * day);
      expect(await there.removeEndedBefore(text(start))).toBe(0);
      expect(await there.removeEndedBefore(text(start + 2 * day))).toBe(2);
      expect(await there.removeEndedBefore(text(start + 2 * day))).toBe(0);
      const left = (await here.page({ limit: 9 })).orders.map(({ id }) => id);
      expect(left.sort()).toEqual([idOf('c'), idOf('open'), idOf('pending')].sort());
      expect(await here.find(idOf('a'))).toBeUndefined();
    });
  });

  describe(`${name}: a listener`, () => {
    it('is called before a change is acknowledged', async () => {
      const heard: unknown[] = [];
      here.onOrder((id) => heard.push(id));
      here.onStock(() => heard.push('stock'));
      const made = await here.add(fresh('a'));
      expect(heard.splice(0)).toContain(made.id);
      await here.changeLeft(3, () => 5);
      expect(heard.splice(0)).toContain('stock');
      await here.change(made.id, paid);
      expect(heard.splice(0)).toEqual(expect.arrayContaining([made.id, 'stock']));
      const second = await here.add(fresh('b'));
      heard.length = 0;
      await here.remove(second.id);
      expect(heard).toContain(second.id);
    });
  });
}
