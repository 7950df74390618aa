import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import { createImages } from '../../src/images/images.js';
import type { Sizes } from '../../src/images/resize.js';
import { openJsonImageStore } from '../../src/images/store-json/image-store.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { sizesOf } from './store-contract.js';

const day = 86_400_000;
const png = (text: string) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)]);
const { signal } = new AbortController();

async function prepare() {
  const data = await makeTempFolder();
  const clock = createManualClock();
  const referenced = new Set<string>();
  const decoded: string[] = [];
  /** Functions that let the test continue pictures that wait. */
  const held: (() => void)[] = [];
  let isHolding = false;
  async function open() {
    const store = await openJsonImageStore({ data, now: clock.now });
    const images = createImages({
      store,
      clock,
      log: silentLog(),
      referenced: async () => referenced,
      async resize(bytes): Promise<Sizes> {
        decoded.push(bytes.toString('latin1', 8));
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
        return sizesOf(bytes.toString('latin1'));
      },
    });
    const add = async (text: string) => (await images.add(png(text), signal)).name;
    const has = async (name: string) => (await images.read({ name, width: 400 })) !== undefined;
    return { images, add, has };
  }
  return {
    clock,
    referenced,
    decoded,
    held,
    open,
    hold() {
      isHolding = true;
    },
  };
}

describe('unused pictures', () => {
  it('expire 30 days after their last use, even across restarts', async () => {
    const { clock, referenced, open } = await prepare();
    const { add, images } = await open();
    const [used, again, unused] = [await add('used'), await add('again'), await add('unused')];
    referenced.add(used).add(again);
    const days = async (count: number) => {
      await clock.advance(count * day);
      const opened = await open();
      await opened.images.removeUnused();
      return Promise.all([used, again, unused].map(opened.has));
    };
    await images.removeUnused();
    expect(await days(29)).toEqual([true, true, true]);
    referenced.delete(again);
    expect(await days(1)).toEqual([true, true, false]);
    expect(await days(29)).toEqual([true, true, false]);
    expect(await days(1)).toEqual([true, false, false]);
    expect(await days(365)).toEqual([true, false, false]);
  });

  it('are kept for another 30 days when they are uploaded again', async () => {
    const { clock, open } = await prepare();
    const { add, has, images } = await open();
    const name = await add('a');
    await clock.advance(29 * day);
    expect(await add('a')).toBe(name);
    await clock.advance(29 * day);
    await images.removeUnused();
    expect(await has(name)).toBe(true);
    await clock.advance(day);
    await images.removeUnused();
    expect(await has(name)).toBe(false);
  });

  it.each([365, -365])('do not expire when the clock jumps by %i days', async (days) => {
    const { clock, open } = await prepare();
    const { add, has, images } = await open();
    const name = await add('a');
    await images.removeUnused();
    clock.stepWallClock(days * day);
    await images.removeUnused();
    expect(await has(name)).toBe(true);
    await clock.advance(30 * day);
    await images.removeUnused();
    expect(await has(name)).toBe(false);
  });

  it('are removed at startup and every day', async () => {
    const { clock, open } = await prepare();
    const { add, has, images } = await open();
    const name = await add('a');
    const stopping = new AbortController();
    const running = images.run(stopping.signal);
    await clock.advance(31 * day);
    expect(await has(name)).toBe(false);
    stopping.abort();
    await running;
  });
});

describe('simultaneous uploads', () => {
  it('are processed one at a time, with four waiting, and further ones are rejected', async () => {
    const { open, hold, held, decoded } = await prepare();
    const { add, images } = await open();
    hold();
    const texts = ['1', '2', '3', '4', '5'];
    const adding = texts.map(add);
    while (held.length === 0) await new Promise(setImmediate);
    await expect(images.add(png('6'), signal)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '5' },
    });
    expect(decoded).toHaveLength(1);
    let done = 0;
    for (const each of adding) void each.then(() => (done += 1));
    while (done < texts.length) {
      held.pop()?.();
      await new Promise(setImmediate);
    }
    expect([...decoded].sort()).toEqual(texts);
  });

  it('of the same picture are processed once', async () => {
    const { open, decoded } = await prepare();
    const { images } = await open();
    const results = await Promise.all([1, 2, 3].map(() => images.add(png('same'), signal)));
    expect(results.map(({ isNew }) => isNew).sort()).toEqual([false, false, true]);
    expect(decoded).toEqual(['same']);
  });

  it('are not processed if they were aborted while waiting', async () => {
    const { open, hold, held, decoded } = await prepare();
    const { add, images } = await open();
    hold();
    const first = add('1');
    while (held.length === 0) await new Promise(setImmediate);
    const gone = new AbortController();
    const second = images.add(png('2'), gone.signal);
    gone.abort('shutdown');
    const rejected = expect(second).rejects.toMatchObject({ code: 'shutting_down' });
    held.pop()?.();
    await Promise.all([first, rejected]);
    expect(decoded).toEqual(['1']);
  });
});
