import type { Stock as Count, StockList } from '#validators/orders';
import type { Stock } from './product-list.ts';
import type { Records } from './records.ts';
import type { Words } from './words/en.ts';

// Pieces left of each product, as the service counts them down.

/** More than this many the service does not count. */
const mostLeft = 1_000_000;

const list = '/api/admin/stock';

/**
 * Reads and stores the stock. A count is changed from the one that the page shows; where a sale or another window was
 * faster, the change fails with status 412, and the count of then is known afterwards.
 */
export function createStock(records: Records) {
  const left: Map<number, number | null> = new Map();
  let isKnown = false;

  const load = async () => {
    const { value } = await records.read<StockList['data']>(list);
    left.clear();
    for (const entry of value) left.set(entry.productId, entry.left);
    isKnown = true;
  };

  /** @param count null: it is not counted */
  const set = async (id: number, count: number | null) => {
    const path = `${list}/${id}`;
    const known = { left: left.get(id) ?? null };
    try {
      const { value } = await records.change<Count>({ path, known, body: { left: count } });
      left.set(id, value.left);
    } catch (error) {
      if (error.status === 412) left.set(id, (await records.read<Count>(path)).value.left);
      throw error;
    }
  };

  return {
    load,
    set,
    /** @returns undefined where the service did not say */
    counts: (): Stock | undefined => (isKnown ? left : undefined),
    of: (id: number) => left.get(id) ?? null,
  };
}

/** Returns a count in words, because color alone is not accessible. */
export function stockText(left: number | null, { stock, products }: Words) {
  if (left === null) return stock.uncounted;
  return left === 0 ? products.soldOut : stock.left(left);
}

/** Reads a typed count: null for an empty text (not counted), NaN for an invalid count. */
export function parseLeft(text: string) {
  const bare = text.replace(/\s/g, '');
  if (bare === '') return null;
  return /^\d{1,7}$/.test(bare) && Number(bare) <= mostLeft ? Number(bare) : Number.NaN;
}
