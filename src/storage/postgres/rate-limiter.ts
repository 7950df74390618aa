import {
  keyDigest,
  limited,
  type RateLimiter,
  type RateLimitRule,
  refill,
  secondsUntilToken,
} from '../../base/rate-limit.js';
import type { Database } from './database.js';
import { query } from './database.js';
import type { Sql } from './sql.js';

interface BucketRow {
  readonly tokens: number;
  /** Milliseconds since `tokens` was stored. */
  readonly elapsed: number;
}

/** Returns a limiter whose buckets all processes share. The database's clock refills them. */
export function createSharedRateLimiter(database: Database): RateLimiter {
  async function tokensOf(rule: RateLimitRule, key: string): Promise<number> {
    const [bucket] = await query<BucketRow>(database, 'read a rate limit')`
      select tokens, (extract(epoch from clock_timestamp() - at) * 1000)::float8 as elapsed
      from msgsite.rate_limits where rule = ${rule.name} and key = ${keyDigest(key)}`;
    if (!bucket) return rule.burst ?? rule.amount;
    return refill(rule, bucket.tokens, bucket.elapsed);
  }

  async function take(rule: RateLimitRule, key: string): Promise<boolean> {
    const size = rule.burst ?? rule.amount;
    const perSecond = rule.amount / rule.periodSeconds;
    const rows = await database.run(
      'take a rate limit',
      (sql) => sql`
        insert into msgsite.rate_limits as bucket (rule, key, tokens, at, full_at)
        values (${rule.name}, ${keyDigest(key)}, ${size - 1}::float8, clock_timestamp(),
          clock_timestamp() + make_interval(secs => ${1 / perSecond}::float8))
        on conflict (rule, key) do update set
          tokens = ${refilled(sql)} - 1,
          at = greatest(bucket.at, clock_timestamp()),
          full_at = clock_timestamp() + make_interval(
            secs => (${size}::float8 + 1 - ${refilled(sql)}) / ${perSecond}::float8)
        where ${refilled(sql)} >= 1
        returning 1`,
    );
    return rows.length > 0;

    function refilled(sql: Sql) {
      return sql`least(${size}::float8, bucket.tokens + ${perSecond}::float8
        * greatest(0, extract(epoch from clock_timestamp() - bucket.at)::float8))`;
    }
  }

  async function giveBackTo(rule: RateLimitRule, bucket: string): Promise<void> {
    await query(database, 'give back a rate limit')`
      update msgsite.rate_limits
      set tokens = least(${rule.burst ?? rule.amount}::float8, tokens + 1)
      where rule = ${rule.name} and key = ${bucket}`;
  }

  return {
    async check(rule, key) {
      const tokens = await tokensOf(rule, key);
      if (tokens < 1) throw limited(secondsUntilToken(rule, tokens));
    },
    async take(rule, key) {
      if (await take(rule, key)) return;
      // A token may have been added between the two statements, but this request was rejected.
      throw limited(secondsUntilToken(rule, Math.min(0.999, await tokensOf(rule, key))));
    },
    giveBack: (rule, key) => giveBackTo(rule, keyDigest(key)),
    bucketOf: (_, key) => keyDigest(key),
    giveBackTo,
  };
}
