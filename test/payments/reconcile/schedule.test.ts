import { describe, expect, it } from 'vitest';
import {
  dueDay,
  firstDayBack,
  isWithin,
  shiftDay,
  spanOf,
  uncomparedDays,
  withBehind,
  withCompared,
  yesterday,
} from '../../../src/payments/reconcile/days.js';

const almaty = 'Asia/Almaty';

describe('the provider’s days', () => {
  it.each([
    ['2026-11-21', 1, '2026-11-22'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-03-01', -1, '2028-02-29'],
  ])('are shifted from %s by %d days', (day, days, shifted) => {
    expect(shiftDay(day, days)).toBe(shifted);
  });

  it('start and end at midnight in the zone', () => {
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

  it('are shorter or longer at a clock change', () => {
    const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;
    expect(hours(spanOf('2026-03-29', 'Europe/Berlin'))).toBe(23);
    expect(hours(spanOf('2026-10-25', 'Europe/Berlin'))).toBe(25);
    expect(hours(spanOf('2026-11-21', almaty, 1))).toBe(72);
  });

  it('determine yesterday in the provider’s zone', () => {
    expect(yesterday(Date.parse('2026-11-21T18:59:59Z'), almaty)).toBe('2026-11-20');
    expect(yesterday(Date.parse('2026-11-21T19:00:00Z'), almaty)).toBe('2026-11-21');
  });
});

describe('the due day', () => {
  it.each([
    ['2026-11-21T03:59:59', '2026-11-19'],
    ['2026-11-21T04:00:00', '2026-11-20'],
    ['2026-11-21T23:59:59', '2026-11-20'],
    ['2026-11-22T00:00:00', '2026-11-20'],
    ['2026-11-22T04:00:00', '2026-11-21'],
  ])('at %s is %s', (time, day) => {
    expect(dueDay(Date.parse(`${time}+05:00`), '04:00', almaty)).toBe(day);
  });
});

describe('the days that have not been compared', () => {
  const due = '2026-11-21';

  it.each([
    ['contain the first day if nothing was compared', due, [], ['2026-11-21']],
    [
      'contain all days since the first',
      '2026-11-19',
      [],
      ['2026-11-19', '2026-11-20', '2026-11-21'],
    ],
    [
      'contain a day between compared days',
      '2026-11-19',
      ['2026-11-19', '2026-11-21'],
      ['2026-11-20'],
    ],
    ['are an empty list if all days were compared', '2026-11-20', ['2026-11-20', '2026-11-21'], []],
    ['contain the latest day if the clock was ahead at first', '2027-01-01', [], ['2026-11-21']],
  ])('%s', (_name, since, compared, days) => {
    expect(uncomparedDays({ due, since, compared })).toEqual(days);
  });

  it('go back at most 31 days', () => {
    const days = uncomparedDays({ due, since: '2020-01-01', compared: [] });
    expect([days.length, days[0], days.at(-1)]).toEqual([31, '2026-10-22', due]);
    expect(firstDayBack(due)).toBe('2026-10-22');
  });
});

describe('the stored record', () => {
  const today = '2026-11-22';

  it('of an organization contains the compared days and the remaining days', () => {
    const first = withCompared(undefined, '2026-11-20', today);
    expect(first).toEqual({ compared: ['2026-11-20'], behind: [] });
    const behind = { ...first, behind: ['2026-11-19', '2026-11-21'], due: '2026-11-21' };
    expect(withCompared(behind, '2026-11-19', today)).toEqual({
      compared: ['2026-11-19', '2026-11-20'],
      behind: ['2026-11-21'],
      due: '2026-11-21',
    });
    expect(withCompared(first, '2026-11-20', today)).toEqual(first);
  });

  it('of an organization drops days that were compared while the clock was ahead', () => {
    const before = { compared: ['2026-11-20', today, '2027-01-01'], behind: [] };
    expect(withCompared(before, '2026-11-21', today).compared).toEqual([
      '2026-11-20',
      '2026-11-21',
    ]);
  });

  it('of an organization contains at most two months of days', () => {
    let known = withCompared(undefined, '2020-01-01', today);
    for (let n = 1; n <= 100; n += 1) known = withCompared(known, shiftDay('2020-01-01', n), today);
    expect([known.compared.length, known.compared.at(-1)]).toEqual([62, '2020-04-10']);
  });

  it('of all organizations contains the number of days that each is behind', () => {
    const none = { since: '2026-11-01', behind: {} };
    const one = withBehind(none, 7, 3);
    expect(one).toEqual({ since: '2026-11-01', behind: { 7: 3 } });
    expect(withBehind(withBehind(one, -8, 40), 7, 0).behind).toEqual({ '-8': 31 });
    const all = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [n, n === 3 ? 9 : 1]));
    const many = withBehind({ ...none, behind: all }, 5_000, 2);
    expect(Object.keys(many.behind)).toHaveLength(1_000);
    expect([many.behind[3], many.behind[5_000]]).toEqual([9, 2]);
  });
});
