/** Values in the order of their times, in memory that grows only with how many there are. */
export interface DueHeap<T extends { readonly dueAt: number }> {
  /** The earliest time; undefined when empty. */
  readonly earliest: number | undefined;
  push(value: T): void;
  /** Removes and gives the earliest value, if its time is not after `now`. */
  popDue(now: number): T | undefined;
}

/** A binary heap: adding and removing cost the logarithm of how many there are. */
export function createDueHeap<T extends { readonly dueAt: number }>(): DueHeap<T> {
  const heap: T[] = [];

  function before(a: number, b: number): boolean {
    const [left, right] = [heap[a], heap[b]];
    return left !== undefined && right !== undefined && left.dueAt < right.dueAt;
  }

  function swap(a: number, b: number): void {
    const [left, right] = [heap[a], heap[b]];
    if (left === undefined || right === undefined) return;
    heap[a] = right;
    heap[b] = left;
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!before(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (before(child, least)) least = child;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  }

  return {
    get earliest() {
      return heap[0]?.dueAt;
    },
    push(value) {
      heap.push(value);
      rise(heap.length - 1);
    },
    popDue(now) {
      const [first] = heap;
      if (first === undefined || first.dueAt > now) return undefined;
      const last = heap.pop();
      if (heap.length > 0 && last !== undefined) {
        heap[0] = last;
        sink();
      }
      return first;
    },
  };
}
