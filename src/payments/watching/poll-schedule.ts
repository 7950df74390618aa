import { type Clock, momentOf } from '../../base/clock.js';
import type { Payment } from '../payment.js';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** Failing polls slow down to this at most; also the pace long after ExpireDate. */
const slowestPoll = 30 * seconds;
/**
 * For so long after ExpireDate the pace stays as it is: the provider's clock may be behind or ahead by
 * minutes, and the last payers are the ones who wait.
 */
const paceAfterExpiry = 5 * minutes;
/** One failure may be chance and changes nothing; a streak slows down by this factor a poll. */
const slowdown = 1.5;
/** Milliseconds of polls that fail without a break, after which a payment ends in the state `unknown`. @bound */
export const giveUpAfter = 24 * hours;
/** A payment that stays for so long in statuses that are in no list is reported. */
const stuckAfter = 1 * hours;

/** What the schedule knows of a payment. All times are monotonic, in milliseconds. */
export interface PollHistory {
  /** When the last poll started (or when the payment was made, before the first one). */
  readonly lastStart: number;
  /** Failed polls since the last answer; 0 when the last one answered. */
  readonly failures: number;
  /** When the first of those failed polls started. */
  readonly failingSince?: number | undefined;
  /** Since when answers have named nothing but statuses that are in no list. */
  readonly unlistedSince?: number | undefined;
  /** When the provider lets the payment expire, where it said so. */
  readonly expiresAt?: number | undefined;
}

/** What a poll has shown, as far as the schedule minds. */
export type Seen = 'failed' | 'listed' | 'unlisted';

type Times = Pick<Clock, 'now' | 'monotonic'>;

/**
 * The history of a payment that was just made, or taken over after a restart or from elsewhere.
 *
 * Records carry times of the wall clock, which may have stepped by hours since, and nobody can see by how
 * much. So nothing that ends or slows down a payment is taken from them alone:
 *
 * - The 24 hours of failures go on from `failingFor`, a length that was measured on the monotonic clock and is
 *   stored while it grows. `failingSince` is for people. Time in which no process polled does not
 *   count, and records without the length begin again.
 * - An ExpireDate that seems to have passed counts as passing now: for minutes more the pace is the usual one.
 * - A payment of the future was made before the wall clock was set back: it is from now, then, and
 *   expires as long after that as it would have.
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
 * Whether an ExpireDate had passed already when the payment was made: the provider's clock is behind, and
 * the date says nothing.
 */
export function isPastExpiry({ expiresAt, createdAt }: Payment): boolean {
  return expiresAt !== null && expiresAt <= createdAt;
}

/** A record of the future was made before the wall clock was set back: it is from now, then. */
function pastMomentOf(time: number, clock: Times): number {
  return Math.min(momentOf(time, clock), clock.monotonic());
}

/** The history after one more poll, which started at `lastStart`. */
export function historyAfter(before: PollHistory, lastStart: number, seen: Seen): PollHistory {
  const { failures, failingSince = lastStart, unlistedSince, expiresAt } = before;
  // A failed poll shows no status: nothing is known to have changed.
  if (seen === 'failed') {
    return { lastStart, failures: failures + 1, failingSince, unlistedSince, expiresAt };
  }
  const since = seen === 'unlisted' ? (unlistedSince ?? lastStart) : undefined;
  return { lastStart, failures: 0, unlistedSince: since, expiresAt };
}

/** Whether a payment has been in statuses that are in no list for more than an hour. */
export function isStuck({ lastStart, unlistedSince = lastStart }: PollHistory): boolean {
  return lastStart - unlistedSince > stuckAfter;
}

/**
 * When to poll a payment again, or undefined where it is given up on: `interval` after the last poll
 * *started*; from the second failing poll on, each makes the wait half as long again, up to 30 s. While polls
 * fail there is one right at ExpireDate all the same; 5 minutes after it the pace becomes 30 s.
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
 * When to poll first each of the payments that were found open. One whose time has not come keeps its
 * time, `interval` after it was made; the overdue ones are spread evenly over one interval, so that no
 * herd hits the provider.
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
 * When to poll a payment that another process has handed over, due at `dueAt` by that one's wall clock: no
 * schedule lets it wait for longer than the slowest pace, whatever the two clocks make of it.
 */
export function handedOverPoll(dueAt: number, interval: number, clock: Times): number {
  return Math.min(momentOf(dueAt, clock), clock.monotonic() + Math.max(slowestPoll, interval));
}
