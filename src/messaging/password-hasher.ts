import { AppError } from '../base/errors.js';
import type { HashingThreads } from './hashing-threads.js';

export interface PasswordHasherOptions {
  /** The bcrypt cost of new hashes. Each step doubles the work. */
  readonly cost: number;
  readonly threads: HashingThreads;
}

/** Maximum size of a password in UTF-8, in bytes. Longer passwords are rejected, because bcrypt ignores the rest. */
const maxPasswordBytes = 72;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Hashes passwords with bcrypt outside the main thread, so that sign-ins do not delay other requests. */
export function createPasswordHasher({ cost, threads }: PasswordHasherOptions) {
  return {
    async hash(password: string): Promise<string> {
      const { hashes } = await threads.run({ password, costs: [cost] });
      const [hash] = hashes;
      if (hash === undefined) throw new Error('The hashing thread returned no hash.');
      return hash;
    },
    /**
     * Returns whether a password matches a stored hash; false without a hash. Every call takes as long as one hash at
     * the current cost or at `highestCost` (the highest stored cost), whichever is higher, so that the time reveals
     * nothing.
     */
    async matches(
      password: string,
      stored: string | undefined,
      highestCost: number,
    ): Promise<boolean> {
      const work = workOf(stored, Math.max(cost, highestCost));
      const hash = work.hash ?? unmatchableHash(work.cost);
      const { isMatch } = await threads.run({ password, hash, costs: work.more });
      return isMatch && work.hash !== undefined;
    },
    /** Returns whether the cost of a hash differs from that of new hashes. */
    isOutdated: (hash: string): boolean => costOf(hash) !== cost,
    close: () => threads.close(),
  };
}

/**
 * Returns a well-formed hash that no password matches. Comparing with it takes as long as comparing with a real hash.
 */
function unmatchableHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'.'.repeat(31)}`;
}

/**
 * bcrypt repeats a short password, with U+0000 between the copies. `walnut` and `walnut\0walnut` would therefore be the same password.
 */
const restart = '\0';

/** Returns whether bcrypt distinguishes a password from all others. */
export function isHashable(password: string): boolean {
  return Buffer.byteLength(password) <= maxPasswordBytes && !password.includes(restart);
}

/**
 * Throws `validation_failed` for a password that bcrypt cannot distinguish from others. `path` is its location in the
 * body.
 */
export function assertHashable(password: string, path: string): void {
  if (isHashable(password)) return;
  const message = `must have at most ${maxPasswordBytes} bytes in UTF-8 and must not contain U+0000`;
  throw new AppError('validation_failed', 'The body has values that are not allowed.', {
    details: [{ path, message }],
  });
}

/** A comparison, and additional hashes that make it take the same time for every account. */
interface PasswordWork {
  /** undefined if there is nothing to compare with. */
  readonly hash: string | undefined;
  /** The bcrypt cost of the comparison; its work is 2 to the power of the cost. */
  readonly cost: number;
  /** Costs of the additional hashes. */
  readonly more: readonly number[];
}

/** Maximum bcrypt cost of a hash or of `MSGSITE_BCRYPT_COST`. Hashing at this cost takes several seconds. */
const maxCost = 16;

/**
 * Returns the cost of a bcrypt hash. Returns undefined for any other text, and for a cost above `maxCost`, because
 * comparing with such a hash could take days.
 */
export function costOf(hash: string): number | undefined {
  const digits = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1];
  const cost = Number(digits);
  return cost >= 4 && cost <= maxCost ? cost : undefined;
}

/**
 * Returns the work of comparing with a stored hash, and of the additional hashes that bring the total up to the work of
 * one hash at `highestCost`. For example, from cost 8 to 10: 2^8 + (2^8 + 2^9) = 2^10.
 */
export function workOf(hash: string | undefined, highestCost: number): PasswordWork {
  const cost = hash === undefined ? undefined : costOf(hash);
  if (cost === undefined) return { hash: undefined, cost: highestCost, more: [] };
  const more = Array.from({ length: Math.max(0, highestCost - cost) }, (_, step) => cost + step);
  return { hash, cost, more };
}
