const seconds = 1000;
const hours = 3_600_000;

/** Failing polls slow down to this at most; also the pace after ExpireDate. */
const slowestPoll = 30 * seconds;
/** One failure may be chance and changes nothing; a streak slows down by this factor a look. */
const slowdown = 1.5;
/** Polls that have failed for this long without a break end in the state `unknown`. */
export const giveUpAfter = 24 * hours;

/** What the schedule knows of a payment. All times are milliseconds since the epoch. */
export interface PollHistory {
  /** When the last poll started (or when the payment was made, before the first one). */
  readonly lastStart: number;
  /** Failed polls since the last answer; 0 when the last one answered. */
  readonly failures: number;
  /** When the first of those failed polls started. */
  readonly failingSince?: number | undefined;
  /** When the provider lets the payment expire, where it said so. */
  readonly expiresAt?: number | undefined;
}

export type NextPoll =
  | { readonly kind: 'poll'; readonly at: number }
  | { readonly kind: 'unknown' };

/**
 * When to look at a payment again: `interval` after the last look *started*; from the second failing
 * look on, each makes the wait half as long again, up to 30 s; past ExpireDate the pace is 30 s, after one look right at that moment.
 */
export function nextPoll(history: PollHistory, interval: number): NextPoll {
  const { lastStart, failures, failingSince, expiresAt } = history;
  if (failingSince !== undefined && lastStart - failingSince >= giveUpAfter) {
    return { kind: 'unknown' };
  }
  const slowest = Math.max(slowestPoll, interval);
  if (expiresAt !== undefined && lastStart >= expiresAt) {
    return { kind: 'poll', at: lastStart + slowest };
  }
  const wait = Math.min(interval * slowdown ** Math.max(0, failures - 1), slowest);
  const at = lastStart + wait;
  const lookAtExpiry = expiresAt !== undefined && expiresAt < at && failures > 0;
  return { kind: 'poll', at: lookAtExpiry ? expiresAt : at };
}

/**
 * When to look first at a payment found open at a start. One whose time has not come keeps its
 * time; the overdue ones are spread evenly over one interval, so that no herd hits the provider.
 * `position` counts from 0 among `total` overdue ones.
 */
export function firstPollAfterStart(
  now: number,
  interval: number,
  position: number,
  total: number,
): number {
  return now + Math.floor((interval * position) / Math.max(1, total));
}
