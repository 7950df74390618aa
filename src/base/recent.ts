import { LRUCache } from 'lru-cache';

export interface RecentOptions {
  /** So many entries are kept; the longest unused go first. */
  readonly most: number;
  /** Milliseconds after which an entry counts no more; always where absent. */
  readonly ttl?: number;
}

/**
 * The entries that were used last. With its own `max` lru-cache makes all of the room at the start, which takes 26 ms
 * for 100,000; counted as a size, room grows with what is kept.
 */
export function createRecent<Key extends string | number, Value extends {}>({
  most,
  ttl,
}: RecentOptions): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({
    maxSize: most,
    sizeCalculation: () => 1,
    ...(ttl === undefined ? {} : { ttl }),
  });
}

/** The most header values of one kind whose meaning is remembered: clients must not fill the memory. */
const most = 200;
/** Characters of a header value whose meaning is remembered. */
const longest = 200;

/**
 * The same pure function, which remembers what it gave for the texts that come most: browsers send the same headers again
 * and again.
 */
export function remembering<Result>(decide: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as Result;
    const result = decide(text);
    if (text.length <= longest) {
      if (known.size >= most) known.clear();
      known.set(text, result);
    }
    return result;
  };
}
