import type { Clock } from './clock.js';

/**
 * Time limits of many pieces of work that all may take equally long, on one timer: they expire in the order in which
 * they were started.
 */
export function createDeadlines(clock: Clock, milliseconds: number) {
  const entries = new Set<{ readonly at: number; readonly expire: () => void }>();
  const closing = new AbortController();
  let isKeeping = false;

  async function keepTime(): Promise<void> {
    isKeeping = true;
    // What is added meanwhile is gone through as well.
    for (const first of entries) {
      const left = first.at - clock.monotonic();
      if (left > 0) await clock.sleep(left, closing.signal);
      if (closing.signal.aborted) return;
      if (entries.delete(first)) first.expire();
    }
    isKeeping = false;
  }

  return {
    /** Calls `expire` when the time is up unless the function given back is called before. */
    start(expire: () => void): () => void {
      const deadline = { at: clock.monotonic() + milliseconds, expire };
      entries.add(deadline);
      if (!isKeeping) void keepTime();
      return () => void entries.delete(deadline);
    },
    /** Lets go of the timer; what is still under way expires no more. */
    close: () => closing.abort(),
  };
}
