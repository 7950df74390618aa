import { hash, randomUUID } from 'node:crypto';
import type { Clock } from './clock.js';
import { AppError } from './errors.js';
import { createRecent } from './recent.js';

/** A token bucket: `burst` at once, refilled evenly at `amount` per `periodSeconds`. */
export interface RateLimitRule {
  readonly name: string;
  readonly amount: number;
  readonly periodSeconds: number;
  /** Size of the bucket; `amount` where not given. */
  readonly burst?: number;
}

/** Counts what each key does under each rule. */
export interface RateLimiter {
  /** Throws as `take` does, but takes nothing. */
  check(rule: RateLimitRule, key: string): Promise<void> | void;
  /** Takes one token; throws `rate_limited` with Retry-After where none is left. */
  take(rule: RateLimitRule, key: string): Promise<void> | void;
  /** Puts a taken token back: what it was taken for does not count after all. */
  giveBack(rule: RateLimitRule, key: string): Promise<void> | void;
  /** Returns the name of a key's bucket, a digest that may be stored; undefined if nothing is limited. */
  bucketOf(rule: RateLimitRule, key: string): string | undefined;
  /** Returns a token to the bucket with this name; does nothing if the bucket no longer exists. */
  giveBackTo(rule: RateLimitRule, bucket: string): Promise<void> | void;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right: monotonic, in milliseconds. */
  at: number;
}

/**
 * Tokens in a bucket after `elapsed` milliseconds of refilling.
 */
export function refill(rule: RateLimitRule, tokens: number, elapsed: number): number {
  const perMillisecond = rule.amount / (rule.periodSeconds * 1000);
  return Math.min(rule.burst ?? rule.amount, tokens + Math.max(0, elapsed) * perMillisecond);
}

/** Whole seconds until a bucket with this many tokens holds one again. */
export function secondsUntilToken(rule: RateLimitRule, tokens: number): number {
  return Math.max(1, Math.ceil(((1 - tokens) * rule.periodSeconds) / rule.amount));
}

/**
 * What a key is remembered by: 43 characters, whatever a client has put into it (an e-mail, say), and
 * nothing of it readable.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}

/**
 * The most clients that are counted, each by a digest; those unused for longest are forgotten first. With its
 * digest a bucket is about 250 bytes: 25 MB in all.
 */
const rememberedKeys = 100_000;

/** A limiter that counts in this process's memory. */
export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = createRecent<string, Bucket>({ most: rememberedKeys });
  // Names are valid only in this process: after a restart, nobody can find out the key behind a stored name.
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

/** The limiter behind `MSGSITE_RATE_LIMIT=off`. */
export const unlimited: RateLimiter = {
  check() {},
  take() {},
  giveBack() {},
  bucketOf: () => undefined,
  giveBackTo() {},
};

/** The refusal of a request that comes too early. */
export function limited(seconds: number): AppError {
  const unit = seconds === 1 ? 'second' : 'seconds';
  return new AppError('rate_limited', `Too many requests. Try again in ${seconds} ${unit}.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
