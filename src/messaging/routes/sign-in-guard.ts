import { addressKey } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';

const quarterHour = 15 * 60;

/** Failed sign-ins of one account from one address. */
const perAccountAndAddress: RateLimitRule = {
  name: 'failed-sign-in',
  amount: 10,
  periodSeconds: quarterHour,
};

/** Failed sign-ins of one account from all addresses. */
const perAccount: RateLimitRule = {
  name: 'failed-sign-in-account',
  amount: 100,
  periodSeconds: quarterHour,
};

/** Slows down those who guess passwords. */
export function createSignInGuard(limiter: RateLimiter) {
  const accountOf = (email: string) => email.toLowerCase();
  const pairOf = (email: string, address: string) => `${accountOf(email)} ${addressKey(address)}`;

  async function giveBack(email: string, address: string): Promise<void> {
    await limiter.giveBack(perAccountAndAddress, pairOf(email, address));
    await limiter.giveBack(perAccount, accountOf(email));
  }

  return {
    /**
     * Makes an attempt that proves whose account it is. It counts before it is made, so that attempts made at once
     * count as well, and is taken off the count again unless the proof was wrong. `rate_limited` where too many
     * have failed lately.
     */
    async watch<Result>(
      email: string,
      address: string,
      attempt: () => Promise<Result>,
    ): Promise<Result> {
      await limiter.take(perAccountAndAddress, pairOf(email, address));
      await limiter.take(perAccount, accountOf(email));
      try {
        const result = await attempt();
        await giveBack(email, address);
        return result;
      } catch (error) {
        if (!isWrongProof(error)) await giveBack(email, address);
        throw error;
      }
    },
  };
}

function isWrongProof(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden');
}
