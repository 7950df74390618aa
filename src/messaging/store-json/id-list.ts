import type { Page } from '../store.js';

/** Ids in rising order, paged without looking at those before the page. */
export interface IdList {
  add(id: number): void;
  page(page: Page): readonly number[];
}

export function createIdList(): IdList {
  const ids: number[] = [];
  /** Index of the first id above `id`. */
  function indexAfter(id: number): number {
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] ?? 0) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  return {
    add(id) {
      // Ids nearly always come in order; a place in the middle is for the rest.
      if (id > (ids.at(-1) ?? 0)) ids.push(id);
      else ids.splice(indexAfter(id), 0, id);
    },
    page({ after, limit }) {
      const start = indexAfter(after);
      return ids.slice(start, start + limit);
    },
  };
}
