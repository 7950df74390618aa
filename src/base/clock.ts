import { setTimeout as delay } from 'node:timers/promises';

/** A source of time. It is passed in so that tests can control it. */
export interface Clock {
  /**
   * Returns the wall-clock time for storage, in milliseconds since the epoch. It may jump by hours in either direction,
   * so nothing is scheduled by it.
   */
  now(): number;
  /** Returns milliseconds since an arbitrary moment, for intervals and deadlines. The value never decreases. */
  monotonic(): number;
  /**
   * Resolves after `milliseconds` or as soon as `signal` aborts. Never rejects; check `signal` to tell the two apart.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Returns the running time of this deployment across restarts, in milliseconds (`money-clock.ts`), or undefined while
   * it cannot be read. Clocks that do not stamp stored records lack this method.
   */
  ranFor?(): number | undefined;
}

/**
 * Maximum delay of a timer, in milliseconds. A longer delay overflows 32 bits, and `setTimeout` uses 1 ms. @internal
 */
const maxTimerDelay = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    delay(
      Math.min(Math.max(0, milliseconds), maxTimerDelay),
      undefined,
      signal && { signal },
    ).catch(() => {}),
};

type Times = Pick<Clock, 'now' | 'monotonic'>;

/** Converts a stored wall-clock time to monotonic time, based on the current readings of both clocks. */
export function momentOf(time: number, clock: Times): number {
  return clock.monotonic() + (time - clock.now());
}

/** Converts a monotonic time to wall-clock time for storage, based on the current readings of both clocks. */
export function timeOf(moment: number, clock: Times): number {
  return Math.round(clock.now() + (moment - clock.monotonic()));
}
