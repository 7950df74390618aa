import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../src/payments/payment.js';
import {
  firstPolls,
  giveUpAfter,
  handedOverPoll,
  historyAfter,
  historyOf,
  isPastExpiry,
  isStuck,
  nextPoll,
} from '../../src/payments/watching/poll-schedule.js';

const second = 1000;
const hour = 3600 * second;

describe('nextPoll', () => {
  it.each([
    ['3 s after the last poll started', { lastStart: 100, failures: 0 }, 100 + 3 * second],
    ['3 s after one failure', { lastStart: 0, failures: 1, failingSince: 0 }, 3 * second],
    ['4.5 s after two failures', { lastStart: 0, failures: 2, failingSince: 0 }, 4.5 * second],
    ['6.75 s after three failures', { lastStart: 0, failures: 3, failingSince: 0 }, 6.75 * second],
    ['30 s after seven failures', { lastStart: 0, failures: 7, failingSince: 0 }, 30 * second],
    [
      '30 s after thousands of failures',
      { lastStart: 0, failures: 5000, failingSince: 0 },
      30 * second,
    ],
    [
      'at ExpireDate if the delay after a failure would end later',
      { lastStart: 0, failures: 8, failingSince: 0, expiresAt: 20 * second },
      20 * second,
    ],
    [
      'at the usual interval across ExpireDate while polls succeed',
      { lastStart: 179 * second, failures: 0, expiresAt: 180 * second },
      182 * second,
    ],
    [
      'every 3 s for 5 minutes after ExpireDate',
      { lastStart: 479 * second, failures: 0, expiresAt: 180 * second },
      482 * second,
    ],
    [
      'every 30 s from 5 minutes after ExpireDate on',
      { lastStart: 480 * second, failures: 0, expiresAt: 180 * second },
      510 * second,
    ],
    [
      '30 s after a failure that follows ExpireDate',
      { lastStart: 200 * second, failures: 9, failingSince: 0, expiresAt: 180 * second },
      230 * second,
    ],
  ])('polls %s', (_, history, at) => {
    expect(nextPoll(history, 3 * second)).toBe(at);
  });

  it('gives up after 24 h of continuous failures', () => {
    const failing = { failures: 3000, failingSince: 0 };
    expect(nextPoll({ ...failing, lastStart: 24 * hour - 1 }, 3 * second)).toBeDefined();
    expect(nextPoll({ ...failing, lastStart: giveUpAfter }, 3 * second)).toBeUndefined();
  });

  it('does not give up while the provider answers', () => {
    const history = { lastStart: 1000 * hour, failures: 0, expiresAt: 1 };
    expect(nextPoll(history, 3 * second)).toBeDefined();
  });

  it('waits for at least one interval and at most 30 s', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 100, max: 30_000 }),
        (lastStart, failures, interval) => {
          const next = nextPoll({ lastStart, failures, failingSince: lastStart }, interval);
          const wait = (next ?? Number.NaN) - lastStart;
          return wait >= interval && wait <= 30 * second;
        },
      ),
    );
  });
});

it('firstPolls spreads overdue payments evenly over one interval and keeps the time of others', () => {
  const clock = { now: () => 100_000, monotonic: () => 1000 };
  const made = [90_000, 99_000, 80_000, 95_000, 97_000, 70_000, 60_000, 500_000];
  const payments = made.map((createdAt) => ({ createdAt }) as Payment);
  const dues = firstPolls(payments, 3000, clock).map(({ due }) => due);
  expect(dues).toEqual([1000, 3000, 1500, 2000, 2500, 3000, 3500, 4000]);
});

describe('historyOf', () => {
  /** A clock with a wall time of one hour and a monotonic time of 10 s. */
  const clock = { now: () => 3600 * second, monotonic: () => 10 * second };
  const made = 3598 * second;
  const historyFor = (changes: Partial<Payment>) =>
    historyOf({ createdAt: made, expiresAt: null, ...changes } as Payment, clock);

  it.each<[string, Partial<Payment>, object]>([
    ['that was just created', {}, { lastStart: 8 * second, failures: 0 }],
    [
      'that expires in 180 s',
      { expiresAt: made + 180 * second },
      { lastStart: 8 * second, expiresAt: 188 * second },
    ],
    [
      'whose ExpireDate had passed when it was created',
      { expiresAt: made - 1 },
      { lastStart: 8 * second, expiresAt: undefined },
    ],
    [
      'that seems to have expired long ago, to be polled now',
      { createdAt: 0, expiresAt: 180 * second },
      { lastStart: -3590 * second, expiresAt: 10 * second },
    ],
    [
      'that was created in the future, counted from now',
      { createdAt: 9000 * second, expiresAt: 9180 * second },
      { lastStart: 10 * second, expiresAt: 190 * second },
    ],
    [
      'that fails by the wall clock only, counted from its next failure',
      { failingSince: 1 },
      { failures: 0, failingSince: undefined },
    ],
    [
      'that has failed for 13 h, regardless of its wall time',
      { failingSince: 1, failingFor: 13 * hour },
      { failures: 1, failingSince: 10 * second - 13 * hour },
    ],
  ])('returns the history of a payment %s', (_, changes, history) => {
    expect(historyFor(changes)).toMatchObject(history);
  });

  it('does not give up at the first failed poll, regardless of the wall time in the record', () => {
    const history = historyFor({ failingSince: 1, createdAt: 1 });
    const failed = historyAfter(history, 11 * second, 'failed');
    expect(nextPoll(failed, 3 * second)).toBe(14 * second);
  });
});

describe('historyAfter', () => {
  const start = { lastStart: 0, failures: 0, expiresAt: 7 };

  it('counts failures and resets them after an answer', () => {
    const failed = historyAfter(historyAfter(start, 3, 'failed'), 6, 'failed');
    expect(failed).toMatchObject({ lastStart: 6, failures: 2, failingSince: 3, expiresAt: 7 });
    const answered = historyAfter(failed, 9, 'listed');
    expect(answered).toMatchObject({ lastStart: 9, failures: 0, expiresAt: 7 });
    expect(answered.failingSince).toBeUndefined();
  });

  it('remembers across failed polls since when statuses have been unknown', () => {
    const first = historyAfter(start, 3, 'unlisted');
    const later = historyAfter(historyAfter(first, 6, 'failed'), 3 + hour, 'unlisted');
    expect([later.unlistedSince, isStuck(later)]).toEqual([3, false]);
    expect(isStuck(historyAfter(later, 4 + hour, 'unlisted'))).toBe(true);
    expect(isStuck(historyAfter(later, 4 + hour, 'listed'))).toBe(false);
    expect(isStuck(start)).toBe(false);
  });
});

it.each([
  [null, false],
  [1001, false],
  [1000, true],
  [-5, true],
])(
  'isPastExpiry for a payment that was created at 1000 and expires at %s is %s',
  (expiresAt, isPast) => {
    expect(isPastExpiry({ createdAt: 1000, expiresAt } as Payment)).toBe(isPast);
  },
);

it.each([
  ['at the handed-over time', 101_000, 3000, 2000],
  ['immediately if that time was long ago', -5 * hour, 3000, 1000 - 100_000 - 5 * hour],
  ['within 30 s if the clocks differ by hours', 5 * hour, 3000, 31_000],
  ['within an interval if it is longer', 5 * hour, 60_000, 61_000],
])('handedOverPoll schedules the next poll %s', (_, dueAt, interval, due) => {
  const clock = { now: () => 100_000, monotonic: () => 1000 };
  expect(handedOverPoll(dueAt, interval, clock)).toBe(due);
});
