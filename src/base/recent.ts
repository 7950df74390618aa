import { LRUCache } from 'lru-cache';

export interface RecentOptions {
  /** Maximum number of entries. The least recently used are dropped first. */
  readonly most: number;
  /** Time after which an entry expires, in milliseconds. By default, entries do not expire. */
  readonly ttl?: number;
}

/**
 * Creates a cache of the most recently used entries. With `max`, lru-cache would allocate space for all entries up
 * front, which takes 26 ms for 100,000. With a size of 1 for each entry, space is allocated as entries are added.
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
