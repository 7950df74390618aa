import { describe, expect, it } from 'vitest';
import { mediaWidths, sha256Of } from '../../src/images/media.js';
import type { Sizes } from '../../src/images/resize.js';
import type { ImageStore } from '../../src/images/store.js';

/** A store of pictures that a test can open several times. */
export interface ImagesUnderTest {
  /** Opens the store with everything that was stored before. */
  open(): Promise<ImageStore>;
}

/** Returns sample bytes for the sizes of a picture. A store does not decode them. */
export function sizesOf(text: string): Sizes {
  const bytes = (width: number) =>
    Buffer.from(`RIFF....WEBP ${text} ${width} \u0000\n\xff`, 'latin1');
  return { 400: bytes(400), 800: bytes(800), 1600: bytes(1600) };
}

export const nameOf = (letter: string) => letter.repeat(32);
const [a, b, c] = ['a', 'b', 'c'].map(nameOf) as [string, string, string];

/** Defines the tests that every store of pictures passes. `prepare` creates an empty one for each test. */
export function describeImageStore(name: string, prepare: () => Promise<ImagesUnderTest>): void {
  describe(`the image store on ${name}`, () => {
    async function filled() {
      const images = await prepare();
      const store = await images.open();
      await store.add(b, sizesOf('b'), 5);
      await store.add(a, sizesOf('a'), 7);
      return { images, store };
    }

    it('returns each size of a picture, even after a restart', async () => {
      const { images, store } = await filled();
      for (const opened of [store, await images.open()]) {
        for (const width of mediaWidths) {
          const bytes = sizesOf('a')[width];
          expect(await opened.read({ name: a, width })).toEqual({ bytes, sha256: sha256Of(bytes) });
        }
        expect(await opened.list()).toEqual([
          { name: a, unusedSince: 7 },
          { name: b, unusedSince: 5 },
        ]);
        expect(await opened.read({ name: c, width: 400 })).toBeUndefined();
      }
    });

    it('recognizes stored pictures, and restarts the time of unused ones', async () => {
      const { images, store } = await filled();
      expect([await store.renew(a, 20), await store.renew(c, 20)]).toEqual([true, false]);
      await store.mark([b, c], null);
      expect(await store.renew(b, 30)).toBe(true);
      await store.add(b, sizesOf('b'), 40);
      expect(await (await images.open()).list()).toEqual([
        { name: a, unusedSince: 20 },
        { name: b, unusedSince: expect.toSatisfy((since) => since === null || since === 40) },
      ]);
    });

    it('removes only pictures that have been unused for long enough', async () => {
      const { images, store } = await filled();
      await store.add(c, sizesOf('c'), 10);
      await store.mark([a], 10);
      await store.mark([b], null);
      expect(await store.remove([a, b], 9)).toEqual([]);
      expect(await store.remove([a, b, nameOf('d')], 10)).toEqual([a]);
      for (const opened of [store, await images.open()]) {
        expect((await opened.list()).map(({ name }) => name)).toEqual([b, c]);
        expect(await opened.read({ name: a, width: 800 })).toBeUndefined();
        expect(await opened.read({ name: c, width: 800 })).toBeDefined();
      }
      await store.add(a, sizesOf('a'), 50);
      expect(await store.read({ name: a, width: 800 })).toBeDefined();
    });

    it('accepts the same picture from several simultaneous uploads', async () => {
      const store = await (await prepare()).open();
      const name = nameOf('e');
      await Promise.all([1, 2, 3].map(() => store.add(name, sizesOf('e'), 1)));
      expect((await store.list()).filter((each) => each.name === name)).toHaveLength(1);
      expect(await store.renew(name, 2)).toBe(true);
    });
  });
}
