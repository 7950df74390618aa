import { hash, randomUUID } from 'node:crypto';
import type { Clock } from './clock.js';
import { AppError } from './errors.js';
import { createRecent } from './recent.js';

/** A token bucket of `burst` tokens, refilled evenly with `amount` tokens per `periodSeconds`. */
export interface RateLimitRule {
  readonly name: string;
  readonly amount: number;
  readonly periodSeconds: number;
  /** Size of the bucket; by default `amount`. */
  readonly burst?: number;
}

/** Counts the requests of each key under each rule. */
export interface RateLimiter {
  /** Throws like `take`, but takes no token. */
  check(rule: RateLimitRule, key: string): Promise<void> | void;
  /** Takes one token. Throws `rate_limited` with Retry-After if the bucket is empty. */
  take(rule: RateLimitRule, key: string): Promise<void> | void;
  /** Returns a token to its bucket, so that the request is not counted. */
  giveBack(rule: RateLimitRule, key: string): Promise<void> | void;
  /** Returns the name of a key's bucket, a digest that may be stored. Returns undefined if rate limits are off. */
  bucketOf(rule: RateLimitRule, key: string): string | undefined;
  /** Returns a token to the bucket with this name. Does nothing if the bucket no longer exists. */
  giveBackTo(rule: RateLimitRule, bucket: string): Promise<void> | void;
}

interface Bucket {
  tokens: number;
  /** Monotonic time at which `tokens` was computed, in milliseconds. */
  at: number;
}

/** Returns the number of tokens in a bucket after `elapsed` milliseconds of refilling. */
export function refill(rule: RateLimitRule, tokens: number, elapsed: number): number {
  const perMillisecond = rule.amount / (rule.periodSeconds * 1000);
  return Math.min(rule.burst ?? rule.amount, tokens + Math.max(0, elapsed) * perMillisecond);
}

/** Returns the number of seconds, rounded up, until a bucket with this many tokens contains a whole token. */
export function secondsUntilToken(rule: RateLimitRule, tokens: number): number {
  return Math.max(1, Math.ceil(((1 - tokens) * rule.periodSeconds) / rule.amount));
}

/** Returns a digest of 43 characters, which hides personal data in the key, such as an e-mail address. */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}

/**
 * Maximum number of clients whose requests are counted. The least recently used are dropped first. With its digest, a
 * bucket takes about 250 bytes, or 25 MB in total.
 */
const rememberedKeys = 100_000;

/** Creates a limiter that counts in the memory of this process. */
export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = createRecent<string, Bucket>({ most: rememberedKeys });
  // Bucket names are valid only in this process, so that nobody can find the key of a stored name after a restart.
  const salt = randomUUID();
  const bucketOf = (rule: RateLimitRule, key: string) => keyDigest(`${salt} ${rule.name} ${key}`);

  function find(rule: RateLimitRule, id: string): Bucket | undefined {
    const bucket = buckets.get(id);
    if (!bucket) return undefined;
    const now = clock.monotonic();
    bucket.tokens = refill(rule, bucket.tokens, now - bucket.at);
    bucket.at = now;
    return bucket;
  }

  function open(rule: RateLimitRule, key: string): Bucket {
    const id = bucketOf(rule, key);
    const known = find(rule, id);
    if (known) return known;
    const bucket = { tokens: rule.burst ?? rule.amount, at: clock.monotonic() };
    buckets.set(id, bucket);
    return bucket;
  }

  function giveBackTo(rule: RateLimitRule, id: string): void {
    const bucket = find(rule, id);
    if (bucket) bucket.tokens = Math.min(rule.burst ?? rule.amount, bucket.tokens + 1);
  }

  return {
    check(rule, key) {
      const { tokens } = open(rule, key);
      if (tokens < 1) throw limited(secondsUntilToken(rule, tokens));
    },
    take(rule, key) {
      const bucket = open(rule, key);
      if (bucket.tokens < 1) throw limited(secondsUntilToken(rule, bucket.tokens));
      bucket.tokens -= 1;
    },
    giveBack: (rule, key) => giveBackTo(rule, bucketOf(rule, key)),
    bucketOf,
    giveBackTo,
  };
}

/** The limiter for `MSGSITE_RATE_LIMIT=off`. */
export const unlimited: RateLimiter = {
  check() {},
  take() {},
  giveBack() {},
  bucketOf: () => undefined,
  giveBackTo() {},
};

/** Returns the error of a request that exceeds a limit. The client may retry after `seconds`. */
export function limited(
  seconds: number,
  { message, hint }: { message: string; hint?: string } = { message: 'Too many requests.' },
): AppError {
  const unit = seconds === 1 ? 'second' : 'seconds';
  return new AppError('rate_limited', `${message} Try again in ${seconds} ${unit}.`, {
    headers: { 'Retry-After': String(seconds) },
    ...(hint === undefined ? {} : { hint }),
  });
}
