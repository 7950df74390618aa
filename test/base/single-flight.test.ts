import { expect, test } from 'vitest';
import { createFlights, lazy, singleFlight } from '../../src/base/single-flight.js';

test('calls that come while work runs share its result, and later calls run it again', async () => {
  let runs = 0;
  const run = singleFlight(async () => {
    runs += 1;
    return runs;
  });

  expect(await Promise.all([run(), run()])).toEqual([1, 1]);
  expect(await run()).toBe(2);
});

test('a failed flight fails every call that shares it, and the next call runs again', async () => {
  let runs = 0;
  const run = singleFlight(async () => {
    runs += 1;
    if (runs === 1) throw new Error('first');
    return runs;
  });

  const [one, other] = await Promise.allSettled([run(), run()]);
  expect([one?.status, other?.status]).toEqual(['rejected', 'rejected']);
  expect(await run()).toBe(2);
});

test('work on different keys runs side by side', async () => {
  const join = createFlights<string, string>();
  const results = [
    join('a', async () => 'first a'),
    join('b', async () => 'b'),
    join('a', async () => 'second a'),
  ];
  expect(await Promise.all(results)).toEqual(['first a', 'b', 'first a']);
});

test('a lazy value is made on first use and kept; a failure is forgotten', async () => {
  let tries = 0;
  const value = lazy(async () => {
    tries += 1;
    if (tries === 1) throw new Error('away');
    return tries;
  });

  expect(await value.made()).toBeUndefined();
  expect(tries).toBe(0);
  await expect(value.get()).rejects.toThrow('away');
  expect(await value.made()).toBeUndefined();
  expect(await Promise.all([value.get(), value.get(), value.made()])).toEqual([2, 2, 2]);
  expect(await value.get()).toBe(2);
});
