import { AppError } from '../base/errors.js';
import type { HashingThreads } from './hashing-threads.js';

export interface PasswordHasherOptions {
  /** The bcrypt cost of new hashes: each step doubles the work. */
  readonly cost: number;
  readonly threads: HashingThreads;
}

/** Bytes of a password in UTF-8: bcrypt ignores the rest, so longer ones are rejected. */
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
     * Returns whether a password matches a hash; false without a hash. It always takes the work of one hash at the
     * current cost or at `dearest` (the highest cost stored), whichever is higher, so that the time reveals nothing.
     */
    async matches(password: string, given: string | undefined, dearest: number): Promise<boolean> {
      const work = workOf(given, Math.max(cost, dearest));
      const hash = work.hash ?? unmatchableHash(work.cost);
      const { isMatch } = await threads.run({ password, hash, costs: work.more });
      return isMatch && work.hash !== undefined;
    },
    /** Returns whether a hash has another cost than new ones. */
    isOutdated: (hash: string): boolean => costOf(hash) !== cost,
    close: () => threads.close(),
  };
}

/** Returns a well-formed hash that no password matches. Comparing with it costs as much as with a real one. */
function unmatchableHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'.'.repeat(31)}`;
}

/** bcrypt starts again after U+0000: `walnut` and `walnut\0walnut` would be the same password. */
const restart = '\0';

/** Returns whether bcrypt distinguishes a password from every other one. */
export function isHashable(password: string): boolean {
  return Buffer.byteLength(password) <= maxPasswordBytes && !password.includes(restart);
}

/** Throws `validation_failed` for a password that bcrypt cannot distinguish from others. `path` is its place in the body. */
export function assertHashable(password: string, path: string): void {
  if (isHashable(password)) return;
  const message = `must have at most ${maxPasswordBytes} bytes in UTF-8 and must not contain U+0000`;
  throw new AppError('validation_failed', 'The body has values that are not allowed.', {
    details: [{ path, message }],
  });
}

/** A comparison, and hashes that are made only to take the same time for every account. */
interface PasswordWork {
  /** undefined if there is nothing to compare with. */
  readonly hash: string | undefined;
  /** The bcrypt cost of the comparison; its work is 2 to the power of the cost. */
  readonly cost: number;
  /** Costs of the additional hashes. */
  readonly more: readonly number[];
}

/** The highest bcrypt cost of a hash or of `MSGSITE_BCRYPT_COST`; hashing at it takes some seconds. */
const maxCost = 16;

/**
 * Returns the cost of a bcrypt hash. Returns undefined for any other text, and for a cost above `maxCost`:
 * comparing with such a hash could take days.
 */
export function costOf(hash: string): number | undefined {
  const digits = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1];
  const cost = Number(digits);
  return cost >= 4 && cost <= maxCost ? cost : undefined;
}

/**
 * Returns the work of comparing with a stored hash (undefined without one), filled up to the work of one hash at
 * the cost `dearest`. From cost 8 to 10, for example: 2^8 + (2^8 + 2^9) = 2^10.
 */
export function workOf(hash: string | undefined, dearest: number): PasswordWork {
  const cost = hash === undefined ? undefined : costOf(hash);
  if (cost === undefined) return { hash: undefined, cost: dearest, more: [] };
  const more = Array.from({ length: Math.max(0, dearest - cost) }, (_, step) => cost + step);
  return { hash, cost, more };
}
