import type { Stock as Count, StockList } from '#validators/orders';
import type { Stock } from './product-list.ts';
import type { Records } from './records.ts';
import type { Words } from './words/en.ts';

// The pieces left of each product, which the service counts down.

/** The highest count that the service accepts. */
const maxRemaining = 1_000_000;

const list = '/api/admin/stock';

/**
 * Reads and stores the stock. A change is based on the count that the page shows. If a sale or another window was
 * faster, it fails with status 412, and the current count is known afterwards.
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

  /** @param count null if it is not counted */
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
    /** @returns undefined if the stock is not known */
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
  return /^\d{1,7}$/.test(bare) && Number(bare) <= maxRemaining ? Number(bare) : Number.NaN;
}
