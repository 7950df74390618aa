/** Things that are due at a time, the earliest first; adding and taking cost O(log n). */
export interface DueQueue<T> {
  add(due: number, item: T): void;
  /** When the earliest is due, or undefined. */
  next(): number | undefined;
  /** Takes the earliest if it is due at `now`. */
  take(now: number): T | undefined;
  readonly size: number;
}

interface Slot<T> {
  readonly due: number;
  readonly item: T;
}

/** A binary heap. */
export function createDueQueue<T>(): DueQueue<T> {
  const heap: Slot<T>[] = [];
  const dueAt = (index: number) => heap[index]?.due ?? Number.POSITIVE_INFINITY;

  function swap(a: number, b: number): void {
    const [left, right] = [heap[a], heap[b]];
    if (left && right) [heap[a], heap[b]] = [right, left];
  }

  function rise(start: number): void {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (dueAt(parent) <= dueAt(index)) return;
      swap(parent, index);
      index = parent;
    }
  }

  function sink(): void {
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const smaller = dueAt(left + 1) < dueAt(left) ? left + 1 : left;
      if (dueAt(smaller) >= dueAt(index)) return;
      swap(smaller, index);
      index = smaller;
    }
  }

  return {
    add(due, item) {
      heap.push({ due, item });
      rise(heap.length - 1);
    },
    next: () => heap[0]?.due,
    take(now) {
      const [first] = heap;
      if (!first || first.due > now) return undefined;
      const last = heap.pop();
      if (last && heap.length > 0) {
        heap[0] = last;
        sink();
      }
      return first.item;
    },
    get size() {
      return heap.length;
    },
  };
}
