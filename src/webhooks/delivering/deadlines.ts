import type { Clock } from '../../base/clock.js';
import { createQueue } from './queue.js';

/** A time limit of one length for any number of pieces of work. */
export interface Deadlines {
  /** Calls `expire` when the time is up, unless the function given back is called before. */
  start(expire: () => void): () => void;
  /** Forgets them all. */
  close(): void;
}

interface Deadline {
  readonly at: number;
  /** Null once it was ended. */
  expire: (() => void) | null;
}

/** Deadlines on one timer: as all have the same length, they expire in the order they were started. */
export function createDeadlines(clock: Clock, milliseconds: number): Deadlines {
  const queue = createQueue<Deadline>();
  const closing = new AbortController();
  let kept = false;

  async function keep(): Promise<void> {
    kept = true;
    for (let first = queue.shift(); first; first = queue.shift()) {
      if (!first.expire) continue;
      const left = first.at - clock.now();
      if (left > 0) await clock.sleep(left, closing.signal);
      if (closing.signal.aborted) return;
      first.expire?.();
    }
    kept = false;
  }

  return {
    start(expire) {
      const deadline: Deadline = { at: clock.now() + milliseconds, expire };
      queue.push(deadline);
      if (!kept) void keep();
      return () => {
        deadline.expire = null;
      };
    },
    close: () => closing.abort(),
  };
}
