/** How much work checking a password is, so that its time reveals nothing about accounts. */

/** A comparison, and hashes that are made for their work alone. */
export interface PasswordWork {
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
