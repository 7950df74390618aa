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
