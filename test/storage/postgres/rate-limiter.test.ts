import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { createSharedRateLimiter } from '../../../src/storage/postgres/rate-limiter.js';
import { sweepExpired } from '../../../src/storage/postgres/sweep.js';
import { useTestDatabase } from '../../helpers/test-database.js';

const rule = { name: 'test', amount: 3, periodSeconds: 3600 };

it('the shared rate limiter counts the requests of all processes together', async () => {
  const here = await useTestDatabase();
  const there = await useTestDatabase({ url: here.url });
  const limiters = [here, there].map(createSharedRateLimiter);
  const takes = [0, 1, 0, 1, 0, 1].map((index) => limiters[index]?.take(rule, 'somebody'));
  const outcomes = await Promise.allSettled(takes);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    expect(outcome.reason).toMatchObject({ code: 'rate_limited' });
    const seconds = Number(outcome.reason.headers['Retry-After']);
    expect(seconds).toBeGreaterThan(1000);
    expect(seconds).toBeLessThanOrEqual(1200);
  }
  await limiters[0]?.take(rule, 'somebody else');
});

it('the shared rate limiter returns a token to a named bucket in any process, and never overfills it', async () => {
  const database = await useTestDatabase();
  const [here, there] = [createSharedRateLimiter(database), createSharedRateLimiter(database)];
  const bucket = here.bucketOf(rule, '198.51.100.7') ?? '';
  expect(bucket).not.toContain('198.51');
  for (let count = 0; count < 3; count += 1) await here.take(rule, '198.51.100.7');
  await there.giveBackTo(rule, bucket);
  await here.take(rule, '198.51.100.7');
  for (let count = 0; count < 9; count += 1) await there.giveBackTo(rule, bucket);
  for (let count = 0; count < 3; count += 1) await here.take(rule, '198.51.100.7');
  await expect(here.take(rule, '198.51.100.7')).rejects.toMatchObject({ code: 'rate_limited' });
});

it('the shared rate limiter returns tokens, refills buckets over time and deletes full ones', async () => {
  const database = await useTestDatabase();
  const limiter = createSharedRateLimiter(database);
  const key = 'x'.repeat(5000);
  for (let count = 0; count < 9; count += 1) {
    await limiter.take(rule, key);
    await limiter.giveBack(rule, key);
  }
  await limiter.giveBack(rule, 'nobody');
  for (let count = 0; count < 3; count += 1) await limiter.take(rule, key);
  await expect(limiter.take(rule, key)).rejects.toMatchObject({ code: 'rate_limited' });
  await database.run(
    'let 25 minutes pass',
    (sql) => sql`update msgsite.rate_limits set at = at - interval '25 minutes',
      full_at = full_at - interval '25 minutes'`,
  );
  await limiter.take(rule, key);
  await expect(limiter.take(rule, key)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await sweepExpired({ database, clock: systemClock, tables: [] })).toBe(0);
  await database.run(
    'let two hours pass',
    (sql) => sql`update msgsite.rate_limits set at = at - interval '2 hours',
      full_at = full_at - interval '2 hours'`,
  );
  expect(await sweepExpired({ database, clock: systemClock, tables: [] })).toBe(1);
});
