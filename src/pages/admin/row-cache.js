/**
 * Rows that are drawn already: one that would look the same is used again, with the picture that it has loaded and
 * with what is open in it.
 */
export function createRowCache() {
  /** @type {Map<number, { text: string, element: HTMLElement }>} */
  const rows = new Map();
  return {
    /**
     * @param {number} id
     * @param {string} text everything that the row shows
     * @param {() => HTMLElement} draw
     */
    get: (id, text, draw) => {
      const known = rows.get(id);
      if (known?.text === text) return known.element;
      const element = draw();
      rows.set(id, { text, element });
      return element;
    },
    /**
     * Forgets the others.
     *
     * @param {readonly number[]} ids
     */
    keep: (ids) => {
      for (const id of rows.keys()) if (!ids.includes(id)) rows.delete(id);
    },
  };
}
