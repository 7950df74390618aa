import { describe, expect, it } from 'vitest';
import { completeProduct, defaultSettings } from '../../src/site/content.js';
import type { SiteStore } from '../../src/site/store.js';

/** A site that a test opens, possibly several times. */
export interface SiteUnderTest {
  /** Opens the store anew; what was stored before is in it. The one opened before is not used again. */
  open(): Promise<SiteStore>;
}

const product = (name: string) => completeProduct({ name });
const announcement = (title: string, date: string) => ({ title, date, content: '', active: true });

/** What every storage of the site keeps; `prepare` makes an empty one for each test. */
export function describeSiteStore(name: string, prepare: () => Promise<SiteUnderTest>): void {
  describe(`${name}: site content`, () => {
    it('keeps products in their order, each with an id never used before', async () => {
      const site = await prepare();
      const store = await site.open();
      const [a, b] = [await store.addProduct(product('a')), await store.addProduct(product('b'))];
      expect([a.order, b.order]).toEqual([1, 2]);
      expect(await store.removeProduct(b.id)).toBe(true);
      expect(await store.removeProduct(b.id)).toBe(false);
      const again = await site.open();
      const c = await again.addProduct(product('c'));
      expect(c.id).toBeGreaterThan(b.id);
      expect(c.order).toBe(2);
      await again.changeProduct(a.id, { order: 7.5 });
      const names = (await (await site.open()).listProducts()).map((each) => each.name);
      expect(names).toEqual(['c', 'a']);
    });

    it('gives products added at the same time a place each', async () => {
      const store = await (await prepare()).open();
      const added = await Promise.all(
        ['a', 'b', 'c', 'd'].map((n) => store.addProduct(product(n))),
      );
      expect(added.map(({ order }) => order).sort()).toEqual([1, 2, 3, 4]);
    });

    it('keeps every field of a product as it was given', async () => {
      const site = await prepare();
      const store = await site.open();
      const given = {
        name: 'Чай "Ұлы" 🍵 \0 \uf8f0',
        tagline: "o'clock",
        description: 'a\nb\\',
        price: 1999.99,
        image: '/i.png',
        features: ['один', 'with \0 inside', '{"json":1}', ''],
        category: '',
      };
      const { id } = await store.addProduct(given);
      const again = await site.open();
      expect(await again.findProduct(id)).toEqual({ id, ...given, order: 1 });
      const changed = await again.changeProduct(id, { features: [], price: 0.1 });
      expect(changed).toEqual({ id, ...given, order: 1, features: [], price: 0.1 });
      expect(await again.changeProduct(id + 1, { price: 1 })).toBeUndefined();
      expect(await again.findProduct(id + 1)).toBeUndefined();
    });

    it('lists announcements by date, whatever way it is written', async () => {
      const site = await prepare();
      const store = await site.open();
      const dates = ['2026-01-02', '2026-01-02T10:00:00+05:00', '2025-12-31T23:59:59.5Z'];
      for (const date of dates) await store.addAnnouncement(announcement(date, date));
      const again = await site.open();
      const titles = async () => (await again.listAnnouncements()).map(({ title }) => title);
      expect(await titles()).toEqual([dates[1], dates[0], dates[2]]);
      const [first] = await again.listAnnouncements();
      await again.changeAnnouncement(first?.id ?? 0, { active: false, date: '2020-01-01' });
      expect(await titles()).toEqual([dates[0], dates[2], dates[1]]);
      expect(await again.removeAnnouncement(first?.id ?? 0)).toBe(true);
      expect(await again.removeAnnouncement(first?.id ?? 0)).toBe(false);
      expect(await again.changeAnnouncement(first?.id ?? 0, { title: '' })).toBeUndefined();
    });

    it('reports each change before its promise resolves', async () => {
      const store = await (await prepare()).open();
      let changes = 0;
      const { id } = await store.addProduct(product('a'));
      store.onChange(() => {
        changes += 1;
      });
      for (const change of [
        () => store.changeProduct(id, { price: 5 }),
        () => store.removeProduct(id),
        () => store.changeSettings({ theme: 'dark' }),
      ]) {
        const before = changes;
        await change();
        expect(changes).toBeGreaterThan(before);
      }
    });

    it('has settings from the beginning and keeps all of several changes at once', async () => {
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
  });
}
