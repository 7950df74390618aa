import { AppError } from './errors.js';

/** Each wait holds a connection, a timer and a listener. */
export const usualWaits = {
  /** The most requests that wait for news for one user, cashier session or address. */
  perKey: 100,
  /** The most requests that wait for news in all. */
  inAll: 10_000,
};

/** Seconds after which those who were refused may try again. */
const retryAfter = 5;

export type Waits = ReturnType<typeof createWaits>;

/** The requests that are held until something happens: one count for all features of a process. */
export function createWaits({ perKey, inAll } = usualWaits) {
  const counts = new Map<string, number>();
  let size = 0;
  return {
    /** How many there are now. */
    get size(): number {
      return size;
    },
    /**
     * Counts one more wait for `key` (such as `user 7`) and gives what ends it, once.
     * `rate_limited` where none is left: an early answer instead would be asked for again at once.
     */
    begin(key: string): () => void {
      const count = counts.get(key) ?? 0;
      if (count >= perKey || size >= inAll) throw tooMany();
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

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    `Too many requests are waiting. Try again in ${retryAfter} seconds.`,
    {
      headers: { 'Retry-After': String(retryAfter) },
      hint: 'Let one request wait for each chat or payment, and end it before beginning another.',
    },
  );
}
