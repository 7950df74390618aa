import { expect, test } from 'vitest';
import { createFlights, lazy, singleFlight } from '../../src/base/single-flight.js';

test('calls during a flight share its result, and later calls run the work again', async () => {
  let runs = 0;
  const run = singleFlight(async () => {
    runs += 1;
    return runs;
  });

  expect(await Promise.all([run(), run()])).toEqual([1, 1]);
  expect(await run()).toBe(2);
});

test('a failed flight fails all calls that share it, and the next call runs the work again', async () => {
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

test('flights with different keys run concurrently', async () => {
  const join = createFlights<string, string>();
  const results = [
    join('a', async () => 'first a'),
    join('b', async () => 'b'),
    join('a', async () => 'second a'),
  ];
  expect(await Promise.all(results)).toEqual(['first a', 'b', 'first a']);
});

test('a lazy value is created on first use and kept, unless the creation fails', async () => {
  let attempts = 0;
  const value = lazy(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('away');
    return attempts;
  });

  expect(await value.made()).toBeUndefined();
  expect(attempts).toBe(0);
  await expect(value.get()).rejects.toThrow('away');
  expect(await value.made()).toBeUndefined();
  expect(await Promise.all([value.get(), value.get(), value.made()])).toEqual([2, 2, 2]);
  expect(await value.get()).toBe(2);
});
