import { limited } from './rate-limit.js';

/** The bounds of waits, each of which holds a connection, a timer and a listener. */
export const usualWaits = {
  /** The most requests that wait for news for one user, cashier session or address. */
  perKey: 100,
  /** The most requests that wait for news in all. */
  inAll: 10_000,
};

/** Seconds after which a refused client may try again. */
const retryAfter = 5;

export type Waits = ReturnType<typeof createWaits>;

/** Counts the requests that wait for news, for all features of a process together. */
export function createWaits({ perKey, inAll } = usualWaits) {
  const counts = new Map<string, number>();
  let size = 0;
  return {
    /** The number of waits now. */
    get size(): number {
      return size;
    },
    /**
     * Counts one more wait of `key` (such as `user 7`) and returns the function that ends it. Throws `rate_limited` if
     * there are too many: a client would repeat its request at once after an early answer.
     */
    begin(key: string): () => void {
      const count = counts.get(key) ?? 0;
      if (count >= perKey || size >= inAll) throw limited(retryAfter, tooMany);
      counts.set(key, count + 1);
      size += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
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
