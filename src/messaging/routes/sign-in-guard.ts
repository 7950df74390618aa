import { addressKey } from '../../base/addresses.js';
import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';

const quarterHour = 15 * 60;

/** One guesser and one account: 10 failures in 15 minutes. */
const perAccountAndAddress: RateLimitRule = {
  name: 'failed-sign-in',
  amount: 10,
  periodSeconds: quarterHour,
};

/** Many guessers and one account: 100 failures in 15 minutes. */
const perAccount: RateLimitRule = {
  name: 'failed-sign-in-account',
  amount: 100,
  periodSeconds: quarterHour,
};

/** Slows down those who guess passwords. */
export function createSignInGuard(limiter: RateLimiter) {
  const accountOf = (email: string) => email.toLowerCase();
  const pairOf = (email: string, address: string) => `${accountOf(email)} ${addressKey(address)}`;
  return {
    /**
     * Counts an attempt before it is made, so that attempts made at once count as well; throws
     * `rate_limited` where too many have failed lately.
     */
    async begin(email: string, address: string): Promise<void> {
      await limiter.take(perAccountAndAddress, pairOf(email, address));
      await limiter.take(perAccount, accountOf(email));
    },
    /** Takes the attempt off the count again: it was no failure. */
    async succeed(email: string, address: string): Promise<void> {
      await limiter.giveBack(perAccountAndAddress, pairOf(email, address));
      await limiter.giveBack(perAccount, accountOf(email));
    },
  };
}
