/** Random values that are the same for the same seed on every machine. */
export interface Random {
  /** Returns a whole number from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
  /** Returns one of the items. There must be at least one. */
  one<Item>(items: readonly Item[]): Item;
}

/** Mulberry32 (Tommy Ettinger, public domain), which is small and good enough to vary texts and counts. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  return {
    between,
    one: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)] as Item,
  };
}
