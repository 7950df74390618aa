import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, createIdempotency } from '../../src/payments/idempotency.js';
import { openJsonAnswerStore } from '../../src/payments/store-json/answer-store.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const hour = 3_600_000;
const request = { organizationId: 1, endpoint: 'qr/create', key: 'k', body: { amount: 5 } };

async function begin(clock: ManualClock = createManualClock(), folder?: string) {
  const place = folder ?? (await makeTempFolder());
  const idempotency = createIdempotency(await openJsonAnswerStore(place, clock));
  let count = 0;
  const work = async () => {
    count += 1;
    return { StatusCode: 0, count };
  };
  return { clock, folder: place, idempotency, work, count: () => count };
}

describe('idempotency', () => {
  it('gives the first answer again for 24 hours, across restarts, and not longer', async () => {
    const { clock, folder, idempotency, work } = await begin();
    expect(await idempotency.once(request, work)).toMatchObject({ count: 1 });
    await clock.advance(24 * hour - 1);
    const restarted = await begin(clock, folder);
    expect(await restarted.idempotency.once(request, work)).toMatchObject({ count: 1 });
    await clock.advance(1);
    expect(await restarted.idempotency.once(request, work)).toMatchObject({ count: 2 });
    await clock.advance(23 * hour);
    expect(await restarted.idempotency.once(request, work)).toMatchObject({ count: 2 });
  });

  it('lets a second request wait for a first in flight', async () => {
    const { idempotency, work, count } = await begin();
    const answers = await Promise.all([1, 2, 3].map(() => idempotency.once(request, work)));
    expect(answers).toEqual([1, 2, 3].map(() => ({ StatusCode: 0, count: 1 })));
    expect(count()).toBe(1);
  });

  it('refuses another body under the key, in flight and later', async () => {
    const { idempotency, work } = await begin();
    const other = { ...request, body: { amount: 6 } };
    const first = idempotency.once(request, work);
    await expect(idempotency.once(other, work)).rejects.toMatchObject({ code: 'conflict' });
    await first;
    await expect(idempotency.once(other, work)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps organizations and endpoints apart, and does requests without a key every time', async () => {
    const { idempotency, work, count } = await begin();
    await idempotency.once(request, work);
    await idempotency.once({ ...request, organizationId: 2 }, work);
    await idempotency.once({ ...request, endpoint: 'refund/create' }, work);
    await idempotency.once({ ...request, key: '' }, work);
    await idempotency.once({ ...request, key: '' }, work);
    expect(count()).toBe(5);
  });

  it('keeps no failure', async () => {
    const { idempotency, work } = await begin();
    const failing = idempotency.once(request, async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await idempotency.once(request, work)).toMatchObject({ count: 1 });
  });

  it('hands the key of the client to the provider, and a fresh one without', async () => {
    const { idempotency } = await begin();
    const keys: string[] = [];
    const note = async (key: string) => {
      keys.push(key);
      return {};
    };
    await idempotency.once(request, note);
    await idempotency.once({ ...request, key: '' }, note);
    await idempotency.once({ ...request, key: '' }, note);
    expect(keys[0]).toBe('k');
    expect(new Set(keys).size).toBe(3);
  });
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
  ])('tells %j from %j', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });
});
