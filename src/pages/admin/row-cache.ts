/** Caches drawn rows: an unchanged row is used again, with its loaded picture and anything open in it. */
export function createRowCache() {
  const rows: Map<number, { text: string; element: HTMLElement }> = new Map();
  return {
    /** @param text all values that the row shows */
    get: (id: number, text: string, draw: () => HTMLElement) => {
      const known = rows.get(id);
      if (known?.text === text) return known.element;
      const element = draw();
      rows.set(id, { text, element });
      return element;
    },
    /** Removes all others. */
    keep: (ids: readonly number[]) => {
      for (const id of rows.keys()) if (!ids.includes(id)) rows.delete(id);
    },
  };
}
