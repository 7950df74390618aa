import type { Page } from './store.js';

/** Returns the index of the first ID that is at least `id`, among `length` IDs in ascending order. */
export function indexFrom(
  id: number,
  length: number,
  idAt: (index: number) => number | undefined,
): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((idAt(middle) ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Creates a list of IDs in ascending order. It finds and pages IDs by binary search. */
export function createIdList(first: readonly number[] = []) {
  const ids = [...first].sort((a, b) => a - b);
  const from = (id: number) => indexFrom(id, ids.length, (index) => ids[index]);
  return {
    add(id: number): undefined {
      // IDs are nearly always added in ascending order.
      if (id > (ids.at(-1) ?? 0)) ids.push(id);
      else ids.splice(from(id), 0, id);
    },
    delete(id: number): void {
      const index = from(id);
      if (ids[index] === id) ids.splice(index, 1);
    },
    get size(): number {
      return ids.length;
    },
    has: (id: number): boolean => ids[from(id)] === id,
    page({ after, limit }: Page): readonly number[] {
      const start = from(after + 1);
      return ids.slice(start, start + limit);
    },
  };
}
