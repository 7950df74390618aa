import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, createOnce, repeatKeyOf } from '../../src/payments/idempotency.js';
import type { Keep } from '../../src/payments/store.js';
import { openJsonAnswerStore } from '../../src/payments/store-json/open.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const hour = 3_600_000;
const request = { name: 'a', body: '5' };

async function begin(clock: ManualClock = createManualClock(), folder?: string) {
  const answerFolder = folder ?? (await makeTempFolder());
  const once = createOnce(await openJsonAnswerStore(answerFolder, clock));
  let count = 0;
  const work = async (keep: Keep) => {
    count += 1;
    const answer = { StatusCode: 0, count };
    await keep(answer);
    return answer;
  };
  return { clock, folder: answerFolder, once, work, count: () => count };
}

describe('the idempotency store', () => {
  it('returns the first answer for exactly 24 hours, even across restarts', async () => {
    const { clock, folder, once, work } = await begin();
    expect(await once(request, work)).toMatchObject({ count: 1 });
    await clock.advance(24 * hour - 1);
    const restarted = await begin(clock, folder);
    expect(await restarted.once(request, work)).toMatchObject({ count: 1 });
    await clock.advance(1);
    expect(await restarted.once(request, work)).toMatchObject({ count: 2 });
    await clock.advance(23 * hour);
    expect(await restarted.once(request, work)).toMatchObject({ count: 2 });
  });

  it('makes a second request wait for the first request in progress', async () => {
    const { once, work, count } = await begin();
    const answers = await Promise.all([1, 2, 3].map(() => once(request, work)));
    expect(answers).toEqual([1, 2, 3].map(() => ({ StatusCode: 0, count: 1 })));
    expect(count()).toBe(1);
  });

  it('rejects a different body with the same key, during and after the first request', async () => {
    const { once, work } = await begin();
    const other = { ...request, body: '6' };
    const first = once(request, work);
    await expect(once(other, work)).rejects.toMatchObject({ code: 'conflict' });
    await first;
    await expect(once(other, work)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('treats different names as different requests', async () => {
    const { once, work, count } = await begin();
    await once(request, work);
    await once({ ...request, name: 'b' }, work);
    expect(count()).toBe(2);
  });

  it('does not store a failure', async () => {
    const { once, work } = await begin();
    const failing = once(request, async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await once(request, work)).toMatchObject({ count: 1 });
  });

  it('stores only answers that are passed to `keep`', async () => {
    const { once, work, count } = await begin();
    expect(await once(request, async () => ({ StatusCode: 0, count: 0 }))).toMatchObject({
      count: 0,
    });
    expect(await once(request, work)).toMatchObject({ count: 1 });
    expect(count()).toBe(1);
  });
});

it('repeatKeyOf returns the client’s key or generates one', () => {
  expect(repeatKeyOf('k')).toEqual({ key: 'k', isNew: false });
  const made = [repeatKeyOf(''), repeatKeyOf('')];
  expect(made.map(({ isNew }) => isNew)).toEqual([true, true]);
  expect(new Set(made.map(({ key }) => key)).size).toBe(2);
});

describe('canonical', () => {
  it('does not depend on the order of properties', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        return canonical(value) === canonical(reversed);
      }),
    );
  });

  it.each([
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: '1' }, { a: 1 }],
    [{ a: null }, {}],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
  ])('distinguishes %j from %j', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });
});
