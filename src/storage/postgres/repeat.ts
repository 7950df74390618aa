import type { Clock } from '../../base/clock.js';

interface RepeatOptions {
  readonly clock: Clock;
  /** Milliseconds from the end of one run to the next. */
  readonly every: number;
  /** Whether the first run is now, and not only in `every` milliseconds. */
  readonly atOnce?: boolean;
  /** Must not reject. */
  work(signal: AbortSignal): Promise<unknown>;
}

/** Does the same work again and again until it is stopped, which waits for the run under way. */
export function repeat({ clock, every, atOnce = false, work }: RepeatOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    if (atOnce) await work(signal);
    while (!signal.aborted) {
      await clock.sleep(every, signal);
      if (!signal.aborted) await work(signal);
    }
  })();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
