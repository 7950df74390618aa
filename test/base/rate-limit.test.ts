import { expect, it } from 'vitest';
import { createRateLimiter } from '../../src/base/rate-limit.js';
import { createManualClock } from '../helpers/manual-clock.js';

it('refills by the time that passes, whatever the wall clock is set to', async () => {
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
