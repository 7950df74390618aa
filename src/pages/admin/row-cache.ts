/**
 * Rows that are drawn already: one that would look the same is used again, with the picture that it has loaded and
 * with what is open in it.
 */
export function createRowCache() {
  const rows: Map<number, { text: string; element: HTMLElement }> = new Map();
  return {
    /** @param text everything that the row shows */
    get: (id: number, text: string, draw: () => HTMLElement) => {
      const known = rows.get(id);
      if (known?.text === text) return known.element;
      const element = draw();
      rows.set(id, { text, element });
      return element;
    },
    /** Forgets the others. */
    keep: (ids: readonly number[]) => {
      for (const id of rows.keys()) if (!ids.includes(id)) rows.delete(id);
    },
  };
}
