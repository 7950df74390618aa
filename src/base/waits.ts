import { limited } from './rate-limit.js';

/** The limits of waiting requests. Each one occupies a connection, a timer and a listener. */
export const usualWaits = {
  /** Maximum number of requests that wait for news for one user, cashier session or address. */
  perKey: 100,
  /** Maximum number of requests that wait for news in total. */
  inAll: 10_000,
};

/** Time after which a rejected client may retry, in seconds. */
const retryAfter = 5;

export type Waits = ReturnType<typeof createWaits>;

/** Counts the requests that wait for news, across all features of a process. */
export function createWaits({ perKey, inAll } = usualWaits) {
  const counts = new Map<string, number>();
  let size = 0;
  return {
    /** Number of requests that are waiting now. */
    get size(): number {
      return size;
    },
    /**
     * Counts a waiting request for `key` (such as `user 7`) and returns a function that ends the wait. Throws
     * `rate_limited` if there are too many. An early response would not help, because clients repeat the request
     * immediately.
     */
    begin(key: string): () => void {
      const count = counts.get(key) ?? 0;
      if (count >= perKey || size >= inAll) throw limited(retryAfter, tooMany);
      counts.set(key, count + 1);
      size += 1;
      let hasEnded = false;
      return () => {
        if (hasEnded) return;
        hasEnded = true;
        size -= 1;
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}

const tooMany = {
  message: 'Too many requests are waiting.',
  hint: 'Use one waiting request for each chat or payment, and end it before you start another.',
};
