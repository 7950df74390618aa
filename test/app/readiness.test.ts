import { expect, it } from 'vitest';
import { createReadiness } from '../../src/app/readiness.js';
import { AppError } from '../../src/base/errors.js';
import { createManualClock } from '../helpers/manual-clock.js';

/** Opens a storage whose probes are resolved by the test. */
function openStorage() {
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  let probes = 0;
  const clock = createManualClock();
  const shutdown = new AbortController();
  const assertReady = createReadiness({
    probe() {
      probes += 1;
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    clock,
    shutdown: shutdown.signal,
  });
  return { assertReady, clock, shutdown, waiting, probes: () => probes };
}

const codeOf = (promise: Promise<void>) =>
  promise.then(
    () => 'ready',
    (error: AppError) => error.code,
  );

it('the readiness check probes the storage once for all requests within a second', async () => {
  const { assertReady, clock, waiting, probes } = openStorage();
  const first = [codeOf(assertReady()), codeOf(assertReady())];
  waiting[0]?.resolve();
  expect(await Promise.all(first)).toEqual(['ready', 'ready']);
  await clock.advance(900);
  expect([await codeOf(assertReady()), probes()]).toEqual(['ready', 1]);
  await clock.advance(200);
  const later = codeOf(assertReady());
  waiting[1]?.reject(new AppError('storage_unavailable', 'The disk is full.'));
  expect([await later, probes()]).toEqual(['storage_unavailable', 2]);
});

it('the readiness check fails within two seconds if the storage hangs, and then immediately', async () => {
  const { assertReady, clock, waiting, probes } = openStorage();
  const first = codeOf(assertReady());
  await clock.advance(1_900);
  expect(await first).toBe('storage_unavailable');
  // The clock no longer advances.
  const second = codeOf(assertReady());
  await clock.advance(0);
  expect([await second, probes()]).toEqual(['storage_unavailable', 1]);
  waiting[0]?.resolve();
  await expect.poll(() => codeOf(assertReady())).toBe('ready');
});

it.each([
  new AppError('conflict', 'The data was moved.'),
  new AppError('data_in_use', 'It is being imported.'),
  new TypeError('a programming error'),
])('the readiness check reports any storage error as unavailable: %s', async (fault) => {
  const { assertReady, waiting } = openStorage();
  const code = codeOf(assertReady());
  waiting[0]?.reject(fault);
  expect(await code).toBe('storage_unavailable');
});

it('the readiness check fails from the start of a shutdown', async () => {
  const { assertReady, shutdown, probes } = openStorage();
  shutdown.abort();
  expect([await codeOf(assertReady()), probes()]).toEqual(['shutting_down', 0]);
});
