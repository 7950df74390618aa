import { setTimeout as delay } from 'node:timers/promises';

/** The time, as something handed in: tests give one they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Resolves after `milliseconds`, or as soon as `signal` aborts (it never rejects; ask the signal
   * which it was).
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** setTimeout turns anything above this into 1 ms (a signed 32-bit millisecond count). */
const longestTimer = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    const time = Math.min(Math.max(0, milliseconds), longestTimer);
    await delay(time, undefined, signal ? { signal } : {}).catch(ignoreAbort);
  },
};

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
