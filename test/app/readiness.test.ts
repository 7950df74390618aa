import { expect, it } from 'vitest';
import { createReadiness } from '../../src/app/readiness.js';
import { AppError } from '../../src/base/errors.js';
import { createManualClock } from '../helpers/manual-clock.js';

/** A storage whose answers a test gives. */
function openStorage() {
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  let asked = 0;
  const clock = createManualClock();
  const shutdown = new AbortController();
  const assertReady = createReadiness({
    probe() {
      asked += 1;
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    clock,
    shutdown: shutdown.signal,
  });
  return { assertReady, clock, shutdown, waiting, asked: () => asked };
}

const codeOf = (promise: Promise<void>) =>
  promise.then(
    () => 'ready',
    (error: AppError) => error.code,
  );

it('the readiness check asks the storage once for all requests within a second', async () => {
  const { assertReady, clock, waiting, asked } = openStorage();
  const first = [codeOf(assertReady()), codeOf(assertReady())];
  waiting[0]?.resolve();
  expect(await Promise.all(first)).toEqual(['ready', 'ready']);
  await clock.advance(900);
  expect([await codeOf(assertReady()), asked()]).toEqual(['ready', 1]);
  await clock.advance(200);
  const later = codeOf(assertReady());
  waiting[1]?.reject(new AppError('storage_unavailable', 'The disk is full.'));
  expect([await later, asked()]).toEqual(['storage_unavailable', 2]);
});

it('the readiness check fails within two seconds while the storage hangs, and immediately after that', async () => {
  const { assertReady, clock, waiting, asked } = openStorage();
  const first = codeOf(assertReady());
  await clock.advance(1_900);
  expect(await first).toBe('storage_unavailable');
  // Nothing advances the clock any more.
  const second = codeOf(assertReady());
  await clock.advance(0);
  expect([await second, asked()]).toEqual(['storage_unavailable', 1]);
  waiting[0]?.resolve();
  await expect.poll(() => codeOf(assertReady())).toBe('ready');
});

it.each([
  new AppError('conflict', 'The data was moved.'),
  new AppError('data_in_use', 'It is being imported.'),
  new TypeError('a fault of ours'),
])('the readiness check fails for any fault of the storage: %s', async (fault) => {
  const { assertReady, waiting } = openStorage();
  const answer = codeOf(assertReady());
  waiting[0]?.reject(fault);
  expect(await answer).toBe('storage_unavailable');
});

it('the readiness check fails from the start of a shutdown', async () => {
  const { assertReady, shutdown, asked } = openStorage();
  shutdown.abort();
  expect([await codeOf(assertReady()), asked()]).toEqual(['shutting_down', 0]);
});
