import { describe, expect, it } from 'vitest';
import { isWithin, shiftDay, spanOf, yesterday } from '../../../src/payments/reconcile/days.js';
import {
  dueDay,
  isDue,
  leastBetweenRuns,
} from '../../../src/payments/reconcile/reconcile-schedule.js';

const almaty = 'Asia/Almaty';

describe('days of the provider', () => {
  it.each([
    ['2026-11-21', 1, '2026-11-22'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-03-01', -1, '2028-02-29'],
  ])('%s and %d days', (day, days, shifted) => {
    expect(shiftDay(day, days)).toBe(shifted);
  });

  it('begin and end with the zone’s midnight', () => {
    const span = spanOf('2026-11-21', almaty);
    expect(span).toEqual({
      from: Date.parse('2026-11-20T19:00:00Z'),
      to: Date.parse('2026-11-21T19:00:00Z'),
    });
    expect([span.from, span.to - 1].map((moment) => isWithin(moment, span))).toEqual([true, true]);
    expect([span.from - 1, span.to].map((moment) => isWithin(moment, span))).toEqual([
      false,
      false,
    ]);
  });

  it('are as long as they are where clocks change', () => {
    const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;
    expect(hours(spanOf('2026-03-29', 'Europe/Berlin'))).toBe(23);
    expect(hours(spanOf('2026-10-25', 'Europe/Berlin'))).toBe(25);
    expect(hours(spanOf('2026-11-21', almaty, 1))).toBe(72);
  });

  it('yesterday is the provider’s', () => {
    expect(yesterday(Date.parse('2026-11-21T18:59:59Z'), almaty)).toBe('2026-11-20');
    expect(yesterday(Date.parse('2026-11-21T19:00:00Z'), almaty)).toBe('2026-11-21');
  });
});

describe('the day that is due', () => {
  it.each([
    ['2026-11-21T03:59:59', '2026-11-19'],
    ['2026-11-21T04:00:00', '2026-11-20'],
    ['2026-11-21T23:59:59', '2026-11-20'],
    ['2026-11-22T00:00:00', '2026-11-20'],
    ['2026-11-22T04:00:00', '2026-11-21'],
  ])('at %s it is %s', (time, day) => {
    expect(dueDay(Date.parse(`${time}+05:00`), '04:00', almaty)).toBe(day);
  });
});

describe('isDue', () => {
  const soon = 600_000;
  const long = leastBetweenRuns;
  it.each([
    ['nothing new', '20', { day: '20', hasRun: false }, long, false],
    ['the first night after the start', '21', { day: '20', hasRun: false }, soon, true],
    ['the next night', '21', { day: '20', hasRun: true }, 2 * long, true],
    ['a clock that stepped forward after a run', '22', { day: '20', hasRun: true }, soon, false],
    ['the same, half a day later', '22', { day: '20', hasRun: true }, long, true],
    ['a clock that stepped back after a run', '19', { day: '20', hasRun: true }, soon, false],
    ['a clock that stepped back after the start', '19', { day: '20', hasRun: false }, soon, false],
    ['a clock that stays behind', '19', { day: '20', hasRun: true }, long, true],
  ] as const)('%s', (_name, due, { day, hasRun }, passed, is) => {
    const state = { day: `2026-11-${day}`, since: 5000, hasRun };
    expect(isDue(state, `2026-11-${due}`, 5000 + passed)).toBe(is);
  });
});
