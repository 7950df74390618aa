import { type Clock, momentOf } from '../../base/clock.js';
import type { Payment } from '../payment.js';

const seconds = 1000;
const hours = 3_600_000;

/** Failing polls slow down to this at most; also the pace after ExpireDate. */
const slowestPoll = 30 * seconds;
/** One failure may be chance and changes nothing; a streak slows down by this factor a poll. */
const slowdown = 1.5;
/** Polls that have failed for this long without a break end in the state `unknown`. */
export const giveUpAfter = 24 * hours;

/** What the schedule knows of a payment. All times are monotonic, in milliseconds. */
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

type Times = Pick<Clock, 'now' | 'monotonic'>;

/** The history of a payment that was just made or read, by what the clocks show at present. */
export function historyOf(payment: Payment, clock: Times): PollHistory {
  const { createdAt, failingSince, expiresAt } = payment;
  return {
    lastStart: pastMomentOf(createdAt, clock),
    failures: failingSince === undefined ? 0 : 1,
    failingSince: failingSince === undefined ? undefined : pastMomentOf(failingSince, clock),
    expiresAt: expiresAt === null ? undefined : momentOf(expiresAt, clock),
  };
}

/** A record of the future was made before the wall clock was set back: it is from now, then. */
function pastMomentOf(time: number, clock: Times): number {
  return Math.min(momentOf(time, clock), clock.monotonic());
}

/** The history after one more poll, which started at `lastStart`. */
export function historyAfter(
  { failures, failingSince, expiresAt }: PollHistory,
  lastStart: number,
  hasFailed: boolean,
): PollHistory {
  return hasFailed
    ? { lastStart, failures: failures + 1, failingSince: failingSince ?? lastStart, expiresAt }
    : { lastStart, failures: 0, expiresAt };
}

/**
 * When to poll a payment again, or undefined where it is given up on: `interval` after the last poll
 * *started*; from the second failing poll on, each makes the wait half as long again, up to 30 s; past
 * ExpireDate the pace is 30 s, after one poll right at that moment.
 */
export function nextPoll(history: PollHistory, interval: number): number | undefined {
  const { lastStart, failures, failingSince, expiresAt } = history;
  if (failingSince !== undefined && lastStart - failingSince >= giveUpAfter) return undefined;
  const slowest = Math.max(slowestPoll, interval);
  if (expiresAt !== undefined && lastStart >= expiresAt) return lastStart + slowest;
  const wait = Math.min(interval * slowdown ** Math.max(0, failures - 1), slowest);
  const at = lastStart + wait;
  const pollsAtExpiry = expiresAt !== undefined && expiresAt < at && failures > 0;
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
