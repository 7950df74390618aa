export type Selection = ReturnType<typeof createSelection>;

/** The selected things of a list; a range starts at the last chosen one. No page needed. */
export function createSelection() {
  const ids: Set<number> = new Set();
  let last: number | undefined;

  const set = (changed: readonly number[], isSelected: boolean) => {
    for (const id of changed) {
      if (isSelected) ids.add(id);
      else ids.delete(id);
    }
  };

  const choose = (
    id: number,
    {
      isSelected,
      withRange,
      order,
    }: {
      isSelected: boolean;
      /** true to select from the last chosen one to this one */
      withRange: boolean;
      /** the whole list, in its order */
      order: readonly number[];
    },
  ) => {
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
    has: (id: number) => ids.has(id),
    ids: () => [...ids],
    count: () => ids.size,
    among: (some: readonly number[]): 'none' | 'some' | 'all' => {
      const count = some.filter((id) => ids.has(id)).length;
      if (count === 0) return 'none';
      return count === some.length ? 'all' : 'some';
    },
  };
}
