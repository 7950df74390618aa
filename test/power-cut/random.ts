/** Pseudorandom values that are the same for the same seed. */
export interface Random {
  /** Returns a number from 0 to 1, exclusive. */
  next(): number;
  /** Returns a whole number from 0 to `end`, exclusive. */
  below(end: number): number;
  /** Returns one of the items with equal probability. */
  of<T>(all: readonly T[]): T;
}

/** Returns a mulberry32 generator whose initial state is the FNV-1a hash of the seed. */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    of<T>(all: readonly T[]): T {
      if (all.length === 0) throw new Error('The list is empty.');
      return all[below(all.length)] as T; // The index is within the list.
    },
  };
}
