import { setTimeout as delay } from 'node:timers/promises';

/** The time. It is passed in, so that tests can control it. */
export interface Clock {
  /**
   * Returns milliseconds since the epoch, by the wall clock, for stored times. It may jump by hours in either direction,
   * so nothing is scheduled by it.
   */
  now(): number;
  /**
   * Returns milliseconds since an unknown moment, which never go back, for intervals and deadlines.
   */
  monotonic(): number;
  /**
   * Resolves after `milliseconds` or as soon as `signal` aborts. It never rejects; the signal tells which it was.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Returns the running time of this deployment in milliseconds, across restarts (`money-clock.ts`); undefined while it
   * cannot be read. Clocks that do not stamp stored records lack it.
   */
  ranFor?(): number | undefined;
}

/** Milliseconds of a timer; `setTimeout` turns anything longer into 1 ms (a signed 32-bit count). @internal */
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

/** Converts a stored (wall) time to a monotonic moment, by the current readings of both clocks. */
export function momentOf(time: number, clock: Times): number {
  return clock.monotonic() + (time - clock.now());
}

/** Converts a monotonic moment to a wall time for storage, by the current readings of both clocks. */
export function timeOf(moment: number, clock: Times): number {
  return Math.round(clock.now() + (moment - clock.monotonic()));
}
