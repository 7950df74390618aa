import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../src/payments/payment.js';
import { firstPolls, giveUpAfter, nextPoll } from '../../src/payments/watching/poll-schedule.js';

const second = 1000;
const hour = 3600 * second;

describe('nextPoll', () => {
  it.each([
    ['3 s after the last look started', { lastStart: 100, failures: 0 }, 100 + 3 * second],
    ['3 s after one failure', { lastStart: 0, failures: 1, failingSince: 0 }, 3 * second],
    ['4.5 s after two', { lastStart: 0, failures: 2, failingSince: 0 }, 4.5 * second],
    ['6.75 s after three', { lastStart: 0, failures: 3, failingSince: 0 }, 6.75 * second],
    ['30 s after seven', { lastStart: 0, failures: 7, failingSince: 0 }, 30 * second],
    ['30 s after thousands', { lastStart: 0, failures: 5000, failingSince: 0 }, 30 * second],
    [
      'at ExpireDate when a failing poll would sleep past it',
      { lastStart: 0, failures: 8, failingSince: 0, expiresAt: 20 * second },
      20 * second,
    ],
    [
      'in its usual rhythm across ExpireDate while polls answer',
      { lastStart: 179 * second, failures: 0, expiresAt: 180 * second },
      182 * second,
    ],
    [
      'every 30 s after ExpireDate',
      { lastStart: 182 * second, failures: 0, expiresAt: 180 * second },
      212 * second,
    ],
  ])('polls %s', (_, history, at) => {
    expect(nextPoll(history, 3 * second)).toBe(at);
  });

  it('gives up after 24 h of failures without a break', () => {
    const failing = { failures: 3000, failingSince: 0 };
    expect(nextPoll({ ...failing, lastStart: 24 * hour - 1 }, 3 * second)).toBeDefined();
    expect(nextPoll({ ...failing, lastStart: giveUpAfter }, 3 * second)).toBeUndefined();
  });

  it('never gives up while the provider answers', () => {
    const history = { lastStart: 1000 * hour, failures: 0, expiresAt: 1 };
    expect(nextPoll(history, 3 * second)).toBeDefined();
  });

  it('never waits less than an interval before ExpireDate, nor more than 30 s', () => {
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

it('firstPolls spreads overdue payments evenly over one interval and lets others keep their time', () => {
  const clock = { now: () => 100_000, monotonic: () => 1000 };
  const made = [90_000, 99_000, 80_000, 95_000, 97_000, 70_000, 60_000, 500_000];
  const payments = made.map((createdAt) => ({ createdAt }) as Payment);
  const dues = firstPolls(payments, 3000, clock).map(({ due }) => due);
  expect(dues).toEqual([1000, 3000, 1500, 2000, 2500, 3000, 3500, 4000]);
});
