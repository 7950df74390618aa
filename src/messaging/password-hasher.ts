import { AppError } from '../base/errors.js';
import type { HashingThreads } from './hashing-threads.js';

export interface PasswordHasherOptions {
  /** bcrypt's cost today: each step doubles the work. */
  readonly cost: number;
  readonly threads: HashingThreads;
}

/** Bytes of a password: bcrypt ignores the rest, so longer ones are refused. */
const longestPasswordBytes = 72;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** bcrypt off the main thread, so that sign-ins stall nobody else. */
export function createPasswordHasher({ cost, threads }: PasswordHasherOptions) {
  return {
    async hash(password: string): Promise<string> {
      const { hashes } = await threads.run({ password, costs: [cost] });
      const [hash] = hashes;
      if (hash === undefined) throw new Error('A hash was asked for and none was made.');
      return hash;
    },
    /**
     * Whether a password is that of a hash. It takes the work of one hash of today's cost or of
     * `dearest` (the highest cost stored), whichever is more, for every hash alike, and for none
     * (nobody has that e-mail; the answer is false then).
     */
    async matches(password: string, given: string | undefined, dearest: number): Promise<boolean> {
      const work = workOf(given, Math.max(cost, dearest));
      const hash = work.hash ?? unmatchableHash(work.cost);
      const { isMatch } = await threads.run({ password, hash, costs: work.more });
      return isMatch && work.hash !== undefined;
    },
    /** Whether a hash has another cost than those that are made today. */
    isOutdated: (hash: string): boolean => costOf(hash) !== cost,
    close: () => threads.close(),
  };
}

/** A well-formed hash of no password: comparing with it costs what comparing with a real one does. */
function unmatchableHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'.'.repeat(31)}`;
}

/** bcrypt starts again after U+0000: `walnut` and `walnut`, U+0000, `walnut` would be one password. */
const restart = '\0';

/** Whether bcrypt tells a password from every other one. */
export function isHashable(password: string): boolean {
  return Buffer.byteLength(password) <= longestPasswordBytes && !password.includes(restart);
}

/** `validation_failed`, which names the property of the body, for a password that bcrypt cannot take. */
export function assertHashable(password: string, path: string): void {
  if (isHashable(password)) return;
  const message = `must have at most ${longestPasswordBytes} bytes in UTF-8, and no character U+0000`;
  throw new AppError('validation_failed', 'The body has values that are not allowed.', {
    details: [{ path, message }],
  });
}

/** How much work checking a password is, so that its time reveals nothing about accounts. */

/** A comparison, and hashes that are made for their work alone. */
interface PasswordWork {
  /** undefined = nobody's: there is nothing to compare with. */
  readonly hash: string | undefined;
  /** bcrypt's cost of the comparison; its work is 2 to the power of the cost. */
  readonly cost: number;
  /** Costs of what is hashed beside it. */
  readonly more: readonly number[];
}

/** The highest bcrypt cost that a hash or `MSGSITE_BCRYPT_COST` may have; it takes some seconds. */
const highestCost = 16;

/**
 * The cost of a bcrypt hash. undefined for any other text, and for one dearer than this program makes:
 * comparing with it could take days.
 */
export function costOf(hash: string): number | undefined {
  const digits = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1];
  const cost = Number(digits);
  return cost >= 4 && cost <= highestCost ? cost : undefined;
}

/**
 * What comparing with a stored hash (undefined = there is none) takes so that it is the work of one
 * hash of the cost `dearest`, whichever the hash has: 2^8 + (2^8 + 2^9) = 2^10.
 */
export function workOf(hash: string | undefined, dearest: number): PasswordWork {
  const cost = hash === undefined ? undefined : costOf(hash);
  if (cost === undefined) return { hash: undefined, cost: dearest, more: [] };
  const more = Array.from({ length: Math.max(0, dearest - cost) }, (_, step) => cost + step);
  return { hash, cost, more };
}
