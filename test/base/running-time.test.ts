import { describe, expect, it } from 'vitest';
import {
  type ClockFact,
  clockAfter,
  describeHeld,
  describeHold,
  hasExpired,
  type Observation,
  ranAtOf,
} from '../../src/base/running-time.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const noon = Date.parse('2026-11-21T12:00:00Z');

describe('a record that lives for 24 hours', () => {
  /** The movement of both clocks, and whether the record has expired. */
  it.each([
    ['does not expire a millisecond before 24 hours by both clocks', day - 1, day - 1, false],
    ['expires after 24 hours by both clocks', day, day, true],
    ['does not expire when the wall clock jumps ahead', 400 * day, hour, false],
    ['does not expire when the wall clock is set back', -30 * day, 2 * day, false],
    ['does not expire while the wall clock is slow', hour, 2 * day, false],
    ['does not expire while the service is stopped', 6 * day, 0, false],
    ['expires a day of running time after a jump', 400 * day + day, day, true],
  ])('%s', (_name, wall, ran, over) => {
    const clock = { now: () => noon + wall, ranFor: () => 5 * day + ran };
    expect(hasExpired({ at: noon, ranAt: 5 * day }, day, clock)).toBe(over);
  });

  it.each([
    ['the record has no running time', {}, { ranFor: () => 9 * day }],
    [
      'its running time is from before the stored one was lost',
      { ranAt: 30 * day },
      { ranFor: () => day },
    ],
    ['the stored running time cannot be read', { ranAt: day }, { ranFor: () => undefined }],
    ['the clock has no running time', { ranAt: day }, {}],
  ])('expires only by the wall clock if %s', (_name, moment, clock) => {
    const at = (now: number) =>
      hasExpired({ at: noon, ...moment }, day, { now: () => now, ...clock });
    expect([at(noon + day - 1), at(noon + day)]).toEqual([false, true]);
  });

  it('does not expire if another process stamped it with a running time that is not stored yet', () => {
    const clock = { now: () => noon + 9 * day, ranFor: () => day };
    expect(hasExpired({ at: noon, ranAt: day + minute }, day, clock)).toBe(false);
  });

  it('is stamped with the running time if it is known', () => {
    expect(ranAtOf({ ranFor: () => 7 })).toEqual({ ranAt: 7 });
    expect([ranAtOf({}), ranAtOf({ ranFor: () => undefined })]).toEqual([{}, {}]);
  });
});

describe('the stored time', () => {
  const before: ClockFact = { ranFor: 10 * day, time: noon, jumps: 2 };
  /** A reading a minute later by both clocks. */
  const usual: Observation = {
    ...{ now: noon + minute, ranFor: 10 * day + minute },
    ...{ step: 0, isStart: false, hasMoney: true },
  };

  it('advances with both clocks', () => {
    const after = { ranFor: 10 * day + minute, time: noon + minute, jumps: 2 };
    expect(clockAfter(before, usual)).toEqual(after);
  });

  it.each([
    ['ahead by an hour and a little', { step: hour + 1 }, 'jump'],
    ['back by an hour and a little', { step: -hour - 1 }, 'jump'],
    ['ahead by 410 days', { step: 410 * day }, 'jump'],
    ['ahead by an hour', { step: hour }, undefined],
    ['back by an hour', { step: -hour }, undefined],
  ])('treats a wall clock that moved %s as %o', (_name, { step }, cause) => {
    const { hold, jumps } = clockAfter(before, { ...usual, step, now: usual.now + step });
    expect(hold?.cause).toBe(cause);
    expect(jumps).toBe(cause ? 3 : 2);
    if (!cause) return;
    const since = usual.now + step;
    expect(hold).toEqual({ cause, since, from: usual.now, until: 11 * day + minute });
  });

  it.each([
    ['7 days later', 7 * day, undefined],
    ['a little more than 7 days later', 7 * day + 1, 'start'],
    ['410 days later', 410 * day, 'start'],
    ['6 days before', -6 * day, undefined],
    ['400 days before', -400 * day, 'start'],
  ])('treats a start %s as %o', (_name, away, cause) => {
    const seen = { ...usual, ranFor: before.ranFor, now: noon + away, isStart: true };
    const { hold, jumps, time } = clockAfter(before, seen);
    expect([hold?.cause, jumps, time]).toEqual([cause, cause ? 3 : 2, noon + away]);
    if (cause) expect(hold).toMatchObject({ from: noon, since: noon + away, until: 11 * day });
  });

  it('detects a jump after a short stop', () => {
    const now = noon + 3 * day + 25 * hour;
    const seen = { ...usual, ranFor: before.ranFor, now, step: 25 * hour };
    expect(clockAfter(before, seen).hold).toMatchObject({ cause: 'jump', from: noon + 3 * day });
  });

  it('is in whole milliseconds even if the monotonic clock returns fractions', () => {
    const step = 25 * hour - 0.4;
    const { hold } = clockAfter(before, { ...usual, step, now: usual.now + 25 * hour });
    expect(hold?.from).toBe(usual.now);
  });

  it('counts a jump once even if several processes detect it', () => {
    const step = 25 * hour;
    const seen = { ...usual, step, now: usual.now + step };
    const first = clockAfter(before, seen);
    expect(clockAfter(first, { ...seen, now: seen.now + 5, ranFor: seen.ranFor - 9 })).toEqual({
      ...first,
      time: seen.now + 5,
    });
  });

  it('never decreases the running time', () => {
    expect(clockAfter(before, { ...usual, ranFor: 9 * day })).toMatchObject({ ranFor: 10 * day });
  });

  it('keeps a hold for 24 hours of running time across restarts, and restarts it after another jump', () => {
    const jumped = clockAfter(before, { ...usual, step: 2 * hour, now: usual.now + 2 * hour });
    const until = jumped.hold?.until ?? 0;
    const later = (ranFor: number, more: Partial<Observation> = {}) =>
      clockAfter(jumped, { ...usual, ranFor, now: jumped.time + ranFor - jumped.ranFor, ...more });
    expect(later(jumped.ranFor, { isStart: true }).hold).toEqual(jumped.hold);
    expect(later(until - 1).hold).toEqual(jumped.hold);
    expect(later(until).hold).toBeUndefined();
    const again = later(until - 1, { step: -2 * hour, now: jumped.time - 2 * hour });
    expect(again).toMatchObject({ jumps: 4, hold: { until: until - 1 + day } });
  });

  it('starts with a hold and no jump if money records exist but no time was ever stored', () => {
    const first = { ...usual, ranFor: 0, isStart: true };
    const hold = { cause: 'first', since: usual.now, until: day };
    expect(clockAfter(undefined, first)).toEqual({ ranFor: 0, time: usual.now, jumps: 0, hold });
    const empty = clockAfter(undefined, { ...first, hasMoney: false });
    expect(empty).toEqual({ ranFor: 0, time: usual.now, jumps: 0 });
  });
});

it('the description of a jump contains the times before and after it', () => {
  const hold = { since: noon + 2 * hour, from: noon, until: 0 } as const;
  expect(describeHold({ ...hold, cause: 'jump' })).toBe(
    'The wall clock jumped from 2026-11-21T12:00:00.000Z to 2026-11-21T14:00:00.000Z.',
  );
  expect(describeHold({ ...hold, cause: 'start' })).toContain('last in use at 2026-11-21T12:00');
  expect(describeHold({ cause: 'first', since: noon, until: 0 })).toBeUndefined();
});

it.each([
  [10 * hour, '14 h 0 min'],
  [day - 90_500, '0 h 2 min'],
  [day, undefined],
])(
  'the description of a hold after %d ms of running time contains the remaining time',
  (ran, left) => {
    const hold = { cause: 'jump', since: noon, from: noon - 2 * hour, until: day } as const;
    const text = describeHeld({ ranFor: ran, time: noon, jumps: 1, hold });
    if (left === undefined) expect(text).toBeUndefined();
    else expect(text).toMatch(RegExp(`^The wall clock jumped from .* for another ${left}.$`));
  },
);

it('there is no description of a hold if the clock has not jumped', () => {
  expect(describeHeld({ ranFor: 0, time: noon, jumps: 0 })).toBeUndefined();
  const hold = { cause: 'first', since: noon, until: day } as const;
  expect(describeHeld({ ranFor: 0, time: noon, jumps: 0, hold })).toBeUndefined();
});
