/** First in, first out. */
export interface Queue<T> {
  readonly size: number;
  push(value: T): void;
  shift(): T | undefined;
}

/** A queue without Array.shift's cost on a long backlog. */
export function createQueue<T>(): Queue<T> {
  let items: T[] = [];
  let head = 0;
  return {
    get size() {
      return items.length - head;
    },
    push(value) {
      items.push(value);
    },
    shift() {
      const value = items[head];
      if (head < items.length) head += 1;
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return value;
    },
  };
}
