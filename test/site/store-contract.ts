import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.js';
import { AppError } from '../../src/base/errors.js';
import { completeProduct, defaultSettings, defaultShop } from '../../src/site/content.js';
import type { SiteStore } from '../../src/site/store.js';
import { createManualClock } from '../helpers/manual-clock.js';

/** A site that a test can open several times. */
export interface SiteUnderTest {
  /** Opens the store again with the stored content. The previous instance is no longer used. */
  open(options?: { readonly clock: Clock }): Promise<SiteStore>;
}

/** Time for which the tested stores keep deleted items, in milliseconds. */
export const keepDeletedMs = 60_000;

const product = (name: string) => completeProduct({ name });
const announcement = (title: string, date: string) => ({ title, date, content: '', active: true });

/** Tests that every site store must pass. `prepare` creates an empty store for each test. */
export function describeSiteStore(name: string, prepare: () => Promise<SiteUnderTest>): void {
  describe(`${name}: site content`, () => {
    it('keeps products in order and never reuses an ID', async () => {
      const site = await prepare();
      const store = await site.open();
      const [a, b] = [
        await store.products.add(product('a')),
        await store.products.add(product('b')),
      ];
      expect([a.order, b.order]).toEqual([1, 2]);
      expect(await store.products.remove(b.id)).toBe(true);
      expect(await store.products.remove(b.id)).toBe(false);
      const again = await site.open();
      const c = await again.products.add(product('c'));
      expect(c.id).toBeGreaterThan(b.id);
      expect(c.order).toBe(2);
      await again.products.change(a.id, { order: 7.5 });
      const names = (await (await site.open()).products.list()).map((each) => each.name);
      expect(names).toEqual(['c', 'a']);
    });

    it('assigns different positions to products that are added concurrently', async () => {
      const store = await (await prepare()).open();
      const added = await Promise.all(
        ['a', 'b', 'c', 'd'].map((n) => store.products.add(product(n))),
      );
      expect(added.map(({ order }) => order).sort()).toEqual([1, 2, 3, 4]);
    });

    it('stores every field of a product unchanged', async () => {
      const site = await prepare();
      const store = await site.open();
      const fields = {
        name: 'Чай "Ұлы" 🍵 \0 \uf8f0',
        tagline: "o'clock",
        description: 'a\nb\\',
        price: 1999.99,
        image: '/i.png',
        features: ['один', 'with \0 inside', '{"json":1}', ''],
        category: '',
      };
      const { id } = await store.products.add(fields);
      const again = await site.open();
      expect(await again.products.find(id)).toEqual({ id, ...fields, order: 1 });
      const changed = await again.products.change(id, { features: [], price: 0.1 });
      expect(changed).toEqual({ id, ...fields, order: 1, features: [], price: 0.1 });
      expect(await again.products.change(id + 1, { price: 1 })).toBeUndefined();
      expect(await again.products.find(id + 1)).toBeUndefined();
    });

    it('sorts announcements by date in every date format', async () => {
      const site = await prepare();
      const store = await site.open();
      const dates = ['2026-01-02', '2026-01-02T10:00:00+05:00', '2025-12-31T23:59:59.5Z'];
      for (const date of dates) await store.announcements.add(announcement(date, date));
      const again = await site.open();
      const titles = async () => (await again.announcements.list()).map(({ title }) => title);
      expect(await titles()).toEqual([dates[1], dates[0], dates[2]]);
      const [first] = await again.announcements.list();
      await again.announcements.change(first?.id ?? 0, { active: false, date: '2020-01-01' });
      expect(await titles()).toEqual([dates[0], dates[2], dates[1]]);
      expect(await again.announcements.remove(first?.id ?? 0)).toBe(true);
      expect(await again.announcements.remove(first?.id ?? 0)).toBe(false);
      expect(await again.announcements.change(first?.id ?? 0, { title: '' })).toBeUndefined();
    });

    it('reports each change before its promise resolves', async () => {
      const store = await (await prepare()).open();
      let changes = 0;
      const { id } = await store.products.add(product('a'));
      store.onChange(() => {
        changes += 1;
      });
      for (const change of [
        () => store.products.change(id, { price: 5 }),
        () => store.products.remove(id),
        () => store.changeSettings({ theme: 'dark' }),
      ]) {
        const before = changes;
        await change();
        expect(changes).toBeGreaterThan(before);
      }
    });

    it('has default settings and applies all of several concurrent changes', async () => {
      const site = await prepare();
      const store = await site.open();
      expect(await store.readSettings()).toEqual(defaultSettings);
      await Promise.all([
        store.changeSettings({ heroTitle: 'T' }),
        store.changeSettings({ theme: 'dark' }),
      ]);
      const expected = { ...defaultSettings, heroTitle: 'T', theme: 'dark' };
      expect(await (await site.open()).readSettings()).toEqual(expected);
    });

    it("stores the shop's details, but not a change that the caller rejects", async () => {
      const site = await prepare();
      const store = await site.open();
      expect(await store.readShop()).toEqual(defaultShop);
      await store.changeShop({ name: 'Нан \0 & Örik', language: 'kk' });
      const expected = { ...defaultShop, name: 'Нан \0 & Örik', language: 'kk' };
      const object = (seen: object) => {
        throw new AppError('precondition_failed', JSON.stringify(seen));
      };
      await expect(store.changeShop({ name: 'other' }, object)).rejects.toThrow(
        JSON.stringify(expected),
      );
      await expect(store.changeSettings({ theme: 'dark' }, object)).rejects.toThrow('light');
      const again = await site.open();
      expect(await again.readShop()).toEqual(expected);
      expect(await again.readSettings()).toEqual(defaultSettings);
    });

    it('lets the caller check the stored value during a change, so that only one of two changes succeeds', async () => {
      const site = await prepare();
      const store = await site.open();
      const added = await store.products.add(product('a'));
      const news = await store.announcements.add(announcement('a', '2026-01-01'));
      const still = (field: 'name' | 'title') => (seen: object) => {
        if ((seen as Record<string, unknown>)[field] !== 'a') throw new Error('changed');
      };
      const outcomes = await Promise.allSettled([
        ...['b', 'c'].map((name) => store.products.change(added.id, { name }, still('name'))),
        ...['b', 'c'].map((title) =>
          store.announcements.change(news.id, { title }, still('title')),
        ),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual([
        ...['fulfilled', 'fulfilled'],
        ...['rejected', 'rejected'],
      ]);
      const [winner] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(await (await site.open()).products.find(added.id)).toEqual(winner);
    });

    it('restores a deleted item once, with its ID and position', async () => {
      const site = await prepare();
      const store = await site.open();
      const fields = { ...product('a'), features: ['\0', '{"n":1}'], price: 0.1 };
      const a = await store.products.add(fields);
      await store.products.add(product('b'));
      const news = await store.announcements.add(announcement('n', '2026-01-02'));
      expect(await store.products.restore(a.id)).toBe('present');
      await store.products.remove(a.id);
      await store.announcements.remove(news.id);
      const again = await site.open();
      expect(await again.products.listDeleted()).toEqual([a]);
      expect(await again.products.find(a.id)).toBeUndefined();
      expect(await again.announcements.find(news.id)).toBeUndefined();
      expect(await again.products.restore(a.id)).toEqual({ restored: a });
      expect(await again.products.restore(a.id)).toBe('present');
      expect(await again.announcements.restore(news.id)).toEqual({ restored: news });
      expect(await again.announcements.restore(news.id + 1)).toBe('unknown');
      expect(await again.products.restore(a.id + 9)).toBe('unknown');
      const last = await site.open();
      expect((await last.products.list()).map(({ name }) => name)).toEqual(['a', 'b']);
      expect(await last.products.find(a.id)).toEqual(a);
      expect(await last.announcements.find(news.id)).toEqual(news);
      expect(await last.products.listDeleted()).toEqual([]);
    });

    it("does not restore items that have expired by the storage's clock", async () => {
      const clock = createManualClock(1_000_000_000_000);
      const site = await prepare();
      const store = await site.open({ clock });
      const a = await store.products.add(product('a'));
      const news = await store.announcements.add(announcement('n', '2026-01-02'));
      await store.products.remove(a.id);
      await store.announcements.remove(news.id);
      clock.stepWallClock(keepDeletedMs - 1);
      expect(await store.products.listDeleted()).toEqual([a]);
      clock.stepWallClock(1);
      expect(await store.products.listDeleted()).toEqual([]);
      expect(await store.products.restore(a.id)).toBe('unknown');
      expect(await store.announcements.restore(news.id)).toBe('unknown');
      const b = await store.products.add(product('b'));
      expect(b.id).toBeGreaterThan(a.id);
    });

    it('applies either the whole import plan or nothing', async () => {
      const site = await prepare();
      const store = await site.open();
      const a = await store.products.add(product('a'));
      await store.products.change(a.id, { order: 5 });
      const b = await store.products.add(product('b'));
      const seen: string[][] = [];
      await store.importProducts((products) => {
        seen.push(products.map(({ name }) => name));
        const changed = products.map((each) => ({ ...each, features: ['\0', each.name] }));
        return { added: [product('c \0\uf8f0'), product('d')], changed };
      });
      await expect(
        store.importProducts(() => {
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(seen).toEqual([['a', 'b']]);
      const after = await (await site.open()).products.list();
      expect(after).toEqual([
        { ...a, order: 5, features: ['\0', 'a'] },
        { ...b, features: ['\0', 'b'] },
        { id: expect.any(Number), ...product('c \0\uf8f0'), order: 7 },
        { id: expect.any(Number), ...product('d'), order: 8 },
      ]);
      const ids = after.map(({ id }) => id);
      expect(new Set(ids).size).toBe(4);
      expect((await store.products.add(product('e'))).id).toBeGreaterThan(Math.max(...ids));
    });
  });
}
