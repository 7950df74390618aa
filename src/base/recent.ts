import { LRUCache } from 'lru-cache';

export interface RecentOptions {
  /** The most entries; the least recently used are dropped first. */
  readonly most: number;
  /** Milliseconds after which an entry expires; never if absent. */
  readonly ttl?: number;
}

/**
 * Creates a cache of the most recently used entries. With `max`, lru-cache allocates space for all entries at the start,
 * which takes 26 ms for 100,000; with a size of 1 for each entry, the space grows with the entries.
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
