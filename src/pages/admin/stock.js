// Pieces left of each product, as the service counts them down.

/** @typedef {import('./product-list.js').Stock} Stock */
/** @typedef {ReturnType<typeof createStock>} StockKeeper */

/** More than this many the service does not count. */
const mostLeft = 1_000_000;

const list = '/api/admin/stock';

/**
 * Reads and stores the stock. A count is changed from the one that the page shows; where a sale or another window was
 * faster, the change fails with status 412, and the count of then is known afterwards.
 *
 * @param {import('./records.js').Records} records
 */
export function createStock(records) {
  /** @type {Map<number, number | null>} */
  const left = new Map();
  let isKnown = false;

  const load = async () => {
    const { value } = await records.read(list);
    left.clear();
    for (const entry of value) left.set(entry.productId, entry.left);
    isKnown = true;
  };

  /**
   * @param {number} id
   * @param {number | null} count null: it is not counted
   */
  const set = async (id, count) => {
    const path = `${list}/${id}`;
    const known = { left: left.get(id) ?? null };
    try {
      const { value } = await records.change({ path, known, body: { left: count } });
      left.set(id, value.left);
    } catch (error) {
      if (error.status === 412) left.set(id, (await records.read(path)).value.left);
      throw error;
    }
  };

  return {
    load,
    set,
    /** @returns {Stock | undefined} undefined where the service did not say */
    counts: () => (isKnown ? left : undefined),
    /** @param {number} id */
    of: (id) => left.get(id) ?? null,
  };
}

/**
 * A count in words; never told by its colour alone.
 *
 * @param {number | null} left
 */
export function stockText(left) {
  if (left === null) return 'Not counted';
  return left === 0 ? 'Sold out' : `${left} left`;
}

/**
 * Reads a count as it is typed: empty is not counted. NaN for what is no count.
 *
 * @param {string} text
 */
export function parseLeft(text) {
  const bare = text.replace(/\s/g, '');
  if (bare === '') return null;
  return /^\d{1,7}$/.test(bare) && Number(bare) <= mostLeft ? Number(bare) : Number.NaN;
}

/** What is said where a count is none. */
export const leftHint = 'Enter a whole number up to 1 000 000, or nothing if you do not count it.';
