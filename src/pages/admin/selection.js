/** @typedef {ReturnType<typeof createSelection>} Selection */

/** Which things of a list are selected; a range goes from the one chosen last. No page needed. */
export function createSelection() {
  /** @type {Set<number>} */
  const ids = new Set();
  /** @type {number | undefined} */
  let last;

  /**
   * @param {readonly number[]} changed
   * @param {boolean} isSelected
   */
  const set = (changed, isSelected) => {
    for (const id of changed) {
      if (isSelected) ids.add(id);
      else ids.delete(id);
    }
  };

  /**
   * @param {number} id
   * @param {object} choice
   * @param {boolean} choice.isSelected
   * @param {boolean} choice.withRange from the one chosen last to this one
   * @param {readonly number[]} choice.order the whole list, in its order
   */
  const choose = (id, { isSelected, withRange, order }) => {
    const [from, to] = [order.indexOf(last ?? id), order.indexOf(id)];
    const hasRange = withRange && from >= 0 && to >= 0;
    const range = hasRange ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    set(range, isSelected);
    last = id;
  };

  return {
    choose,
    set,
    clear: () => ids.clear(),
    /** @param {number} id */
    has: (id) => ids.has(id),
    ids: () => [...ids],
    count: () => ids.size,
    /**
     * @param {readonly number[]} some
     * @returns {'none' | 'some' | 'all'}
     */
    among: (some) => {
      const count = some.filter((id) => ids.has(id)).length;
      if (count === 0) return 'none';
      return count === some.length ? 'all' : 'some';
    },
  };
}
