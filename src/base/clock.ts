/** The time, as something handed in: tests give one they move by hand. */
export interface Clock {
  /**
   * Milliseconds since the epoch, by the wall clock. It stamps records; it may step by hours in either
   * direction, so nothing is scheduled by it.
   */
  now(): number;
  /**
   * Milliseconds since an unknown moment, which only ever go forward. Intervals and deadlines are
   * measured by it.
   */
  monotonic(): number;
  /**
   * Resolves after `milliseconds`, or as soon as `signal` aborts (it never rejects; ask the signal
   * which it was).
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Returns the running time of this deployment in milliseconds, across restarts (`money-clock.ts`); undefined while it
   * cannot be read. Clocks that do not stamp stored records lack it.
   */
  ranFor?(): number | undefined;
}

/** Milliseconds of a timer; `setTimeout` turns anything longer into 1 ms (a signed 32-bit count). @internal */
const longestTimer = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(milliseconds, signal) {
    // node:timers/promises makes an error object for every sleep that a signal ends.
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(0, milliseconds), longestTimer));
      signal?.addEventListener('abort', wake, { once: true });
    });
  },
};

type Times = Pick<Clock, 'now' | 'monotonic'>;

/** The monotonic moment of a stored (wall) time, by what both clocks show at present. */
export function momentOf(time: number, clock: Times): number {
  return clock.monotonic() + (time - clock.now());
}

/** The wall time, to be stored, of a monotonic moment, by what both clocks show at present. */
export function timeOf(moment: number, clock: Times): number {
  return Math.round(clock.now() + (moment - clock.monotonic()));
}
