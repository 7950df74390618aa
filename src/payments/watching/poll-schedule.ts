import { type Clock, momentOf } from '../../base/clock.js';
import type { Payment } from '../payment.js';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** Maximum pause between two polls while polls fail, and the pause long after ExpireDate. */
const slowestPoll = 30 * seconds;
/**
 * Time during which polls continue at the usual pace after ExpireDate, because the provider's clock may be off by
 * minutes.
 */
const paceAfterExpiry = 5 * minutes;
/** Factor by which each consecutive failed poll, from the second on, lengthens the pause. */
const slowdown = 1.5;
/** Duration of failing polls after which a payment ends in the state `unknown`, in milliseconds. @bound */
export const giveUpAfter = 24 * hours;
/** Time during which a payment may have unknown statuses before it is reported. */
const stuckAfter = 1 * hours;

/** The polls of a payment so far. All times are monotonic, in milliseconds. */
export interface PollHistory {
  /** Start of the last poll; before the first poll, the creation of the payment. */
  readonly lastStart: number;
  /** Number of failed polls since the last successful one. */
  readonly failures: number;
  /** Start of the first of those failed polls. */
  readonly failingSince?: number | undefined;
  /** Start of the first poll in the latest series of polls with unknown statuses. */
  readonly unlistedSince?: number | undefined;
  /** Expiry of the payment, if the provider reported it. */
  readonly expiresAt?: number | undefined;
}

/** The result of a poll that did not end the payment. */
export type Seen = 'failed' | 'listed' | 'unlisted';

type Times = Pick<Clock, 'now' | 'monotonic'>;

/**
 * Returns the history of a payment that was just created, or taken over after a restart or from another process.
 *
 * Records contain wall-clock times, and the wall clock may have been changed since. Therefore:
 * - The 24 hours of failures continue from `failingFor`, which was measured on the monotonic clock. Time during which
 *   no process polled is not included. `failingSince` is only for display.
 * - An ExpireDate that seems to have passed is treated as passing now, so the usual pace continues for some minutes.
 * - A creation time in the future is treated as now. The time from creation to expiry stays the same.
 */
export function historyOf(payment: Payment, clock: Times): PollHistory {
  const { createdAt, failingFor, expiresAt } = payment;
  const now = clock.monotonic();
  const lastStart = pastMomentOf(createdAt, clock);
  const expires = expiresAt === null || isPastExpiry(payment) ? undefined : expiresAt - createdAt;
  return {
    lastStart,
    failures: failingFor === undefined ? 0 : 1,
    failingSince: failingFor === undefined ? undefined : now - failingFor,
    expiresAt: expires === undefined ? undefined : Math.max(now, lastStart + expires),
  };
}

/**
 * Returns whether ExpireDate is not after the creation of the payment. Such a date is ignored, because the provider's
 * clock is behind.
 */
export function isPastExpiry({ expiresAt, createdAt }: Payment): boolean {
  return expiresAt !== null && expiresAt <= createdAt;
}

/** Returns the monotonic time of a wall-clock time, or now if it is in the future because the clock was set back. */
function pastMomentOf(time: number, clock: Times): number {
  return Math.min(momentOf(time, clock), clock.monotonic());
}

/** Returns the history after one more poll, which started at `lastStart`. */
export function historyAfter(before: PollHistory, lastStart: number, seen: Seen): PollHistory {
  const { failures, failingSince = lastStart, unlistedSince, expiresAt } = before;
  if (seen === 'failed') {
    return { lastStart, failures: failures + 1, failingSince, unlistedSince, expiresAt };
  }
  const since = seen === 'unlisted' ? (unlistedSince ?? lastStart) : undefined;
  return { lastStart, failures: 0, unlistedSince: since, expiresAt };
}

/** Returns whether a payment has had unknown statuses for more than an hour. */
export function isStuck({ lastStart, unlistedSince = lastStart }: PollHistory): boolean {
  return lastStart - unlistedSince > stuckAfter;
}

/**
 * Returns when to poll a payment again; undefined after 24 hours of failures. The next poll is due `interval` after the
 * last one *started*. From the second failed poll on, each failure lengthens the pause by half, up to 30 s. A poll
 * still takes place at ExpireDate. From 5 minutes after ExpireDate, the pause is 30 s.
 */
export function nextPoll(history: PollHistory, interval: number): number | undefined {
  const { lastStart, failures, failingSince, expiresAt } = history;
  if (failingSince !== undefined && lastStart - failingSince >= giveUpAfter) return undefined;
  const slowest = Math.max(slowestPoll, interval);
  if (expiresAt !== undefined && lastStart >= expiresAt + paceAfterExpiry) {
    return lastStart + slowest;
  }
  const wait = Math.min(interval * slowdown ** Math.max(0, failures - 1), slowest);
  const at = lastStart + Math.round(wait);
  const pollsAtExpiry =
    expiresAt !== undefined && lastStart < expiresAt && expiresAt < at && failures > 0;
  return pollsAtExpiry ? expiresAt : at;
}

/**
 * Returns when to poll open payments for the first time: `interval` after their creation. Overdue polls are spread
 * evenly over one interval, so that they do not all reach the provider at the same time.
 */
export function firstPolls(
  payments: readonly Payment[],
  interval: number,
  clock: Times,
): readonly { readonly payment: Payment; readonly due: number }[] {
  const now = clock.monotonic();
  const found = payments.map((payment) => ({
    payment,
    due: pastMomentOf(payment.createdAt, clock) + interval,
  }));
  const overdue = found.filter(({ due }) => due <= now);
  let position = 0;
  return found.map(({ payment, due }) =>
    due > now
      ? { payment, due }
      : { payment, due: now + Math.floor((interval * position++) / overdue.length) },
  );
}

/**
 * Returns when to poll a payment that another process has handed over. `dueAt` is the due time by that process's wall
 * clock. The clocks may differ, so the pause is limited to the maximum.
 */
export function handedOverPoll(dueAt: number, interval: number, clock: Times): number {
  return Math.min(momentOf(dueAt, clock), clock.monotonic() + Math.max(slowestPoll, interval));
}
