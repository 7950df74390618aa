import type { Clock } from '../../base/clock.js';

/** Time limits of many calls that all may take equally long, on one timer. */
export interface Deadlines {
  /** Calls `expire` after the common time unless the function given back is called before. */
  add(expire: () => void): () => void;
  /** Lets go of the timer; what is still under way expires no more. */
  close(): void;
}

interface Deadline {
  readonly at: number;
  readonly expire: () => void;
}

/** Entries are in the order of their ends, as each lasts equally long: only the first is slept for. */
export function createDeadlines(clock: Clock, milliseconds: number): Deadlines {
  const entries = new Set<Deadline>();
  const closing = new AbortController();
  let awake = false;

  async function keepTime(): Promise<void> {
    awake = true;
    for (let [first] = entries; first && !closing.signal.aborted; [first] = entries) {
      if (first.at > clock.now()) {
        await clock.sleep(first.at - clock.now(), closing.signal);
      } else {
        entries.delete(first);
        first.expire();
      }
    }
    awake = false;
  }

  return {
    add(expire) {
      const entry = { at: clock.now() + milliseconds, expire };
      entries.add(entry);
      if (!awake) void keepTime();
      return () => void entries.delete(entry);
    },
    close: () => closing.abort(),
  };
}
