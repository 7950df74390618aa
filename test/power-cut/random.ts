/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  /** One of them, each as likely as the others. */
  of<T>(all: readonly T[]): T;
}

/** By a text: FNV-1a of it begins the row of numbers, which mulberry32 goes on with. */
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
      if (all.length === 0) throw new Error('There is nothing to choose from.');
      return all[below(all.length)] as T; // Inside the list.
    },
  };
}
