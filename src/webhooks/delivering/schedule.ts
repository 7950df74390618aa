/**
 * When a delivery is attempted: `delays[n]` is the wait before attempt n + 1, in milliseconds, counted
 * from the end of the attempt before it. As many attempts are made as there are delays.
 */
export type RetryDelays = readonly number[];

/** The contract's schedule: at once, after 5 s, after 30 s. */
export const contractDelays: RetryDelays = [0, 5_000, 30_000];

/**
 * The time of the next attempt after `failures` failed ones, the last of which ended at `endedAt`; null
 * when none is left and the delivery is to be dropped. Times are milliseconds since the epoch.
 */
export function nextAttemptAt(
  failures: number,
  endedAt: number,
  delays: RetryDelays = contractDelays,
): number | null {
  const delay = delays[failures];
  return delay === undefined ? null : endedAt + delay;
}
