import { expect, it } from 'vitest';
import { createRateLimiter, unlimited } from '../../src/base/rate-limit.js';
import { createManualClock } from '../helpers/manual-clock.js';

it('the rate limiter refills by elapsed time, regardless of wall clock changes', async () => {
  const clock = createManualClock();
  const limiter = createRateLimiter(clock);
  const rule = { name: 'test', amount: 1, periodSeconds: 60 };
  limiter.take(rule, 'someone');
  clock.stepWallClock(25 * 3_600_000);
  expect(() => limiter.take(rule, 'someone')).toThrow('Try again in 60 seconds');
  clock.stepWallClock(-26 * 3_600_000);
  await clock.advance(60_000);
  limiter.take(rule, 'someone');
});

const three = { name: 'test', amount: 3, periodSeconds: 3_600 };
const address = '198.51.100.7';

it('the rate limiter returns a token to a bucket by name, and never overfills the bucket', () => {
  const limiter = createRateLimiter(createManualClock());
  const bucket = limiter.bucketOf(three, address) ?? '';
  expect(bucket).toMatch(/^[A-Za-z0-9_-]{43}$/);
  for (let count = 0; count < 3; count += 1) limiter.take(three, address);
  limiter.giveBackTo(three, bucket);
  limiter.take(three, address);
  for (let count = 0; count < 9; count += 1) limiter.giveBackTo(three, bucket);
  for (let count = 0; count < 3; count += 1) limiter.take(three, address);
  expect(() => limiter.take(three, address)).toThrow('Too many requests');
});

it('the rate limiter ignores bucket names from another process', () => {
  const [before, after] = [createManualClock(), createManualClock()].map(createRateLimiter);
  const bucket = before?.bucketOf(three, address) ?? '';
  expect(after?.bucketOf(three, address)).not.toBe(bucket);
  for (let count = 0; count < 3; count += 1) after?.take(three, address);
  after?.giveBackTo(three, bucket);
  expect(() => after?.take(three, address)).toThrow('Too many requests');
});

it('the unlimited rate limiter has no bucket names', () => {
  expect(unlimited.bucketOf(three, address)).toBeUndefined();
});
