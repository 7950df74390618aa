import type { Reconciled, Reconciliation } from '#validators/state-records';
import { formatProviderTime, parseProviderTime, providerDay } from '../zoned-time.js';

/** The first day that can be reconciled. */
export const firstDay = '2000-01-01';

/** Returns the day that is `days` later, or earlier if `days` is negative. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A time span in milliseconds since the epoch. `to` is exclusive. */
export interface DaySpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the span of a day in `zone` (IANA name), extended by `more` days on both sides. A day may have 23 or 25
 * hours.
 */
export function spanOf(day: string, zone: string, more = 0): DaySpan {
  return {
    from: startOf(shiftDay(day, -more), zone),
    to: startOf(shiftDay(day, more + 1), zone),
  };
}

function startOf(day: string, zone: string): number {
  const start = parseProviderTime(day, zone);
  if (start === undefined) throw new Error(`${day} is not a valid day.`);
  return start;
}

export function isWithin(moment: number, { from, to }: DaySpan): boolean {
  return moment >= from && moment < to;
}

/** Returns the day before the current day of `zone`. */
export function yesterday(now: number, zone: string): string {
  return shiftDay(providerDay(now, zone), -1);
}

/** Number of days that are compared automatically, counted back from the latest due day. @bound */
const daysBack = 31;
/** Maximum number of compared days that are stored. It exceeds the number of days that are compared automatically. */
const rememberedDays = 62;
/** Maximum number of organizations whose uncompared days are counted. Those with the most days are kept. */
const maxBehind = 1_000;

/** Returns the latest due day: yesterday if the time is `at` (`HH:MM`) or later, otherwise the day before yesterday. */
export function dueDay(now: number, at: string, zone: string): string {
  const time = formatProviderTime(now, zone);
  return shiftDay(time.slice(0, 10), time.slice(11, 16) >= at ? -1 : -2);
}

/** Returns the first day that is compared automatically. */
export function firstDayBack(due: string): string {
  return shiftDay(due, 1 - daysBack);
}

interface Window {
  /** The latest day that is due. */
  readonly due: string;
  /** The first day that is ever compared. It is later than `due` if it was stored while the clock was ahead. */
  readonly since: string;
  readonly compared: readonly string[];
}

/** Returns the days that have not been compared yet, with or without payments, oldest first. */
export function uncomparedDays({ due, since, compared }: Window): string[] {
  const known = new Set(compared);
  const days = Array.from({ length: daysBack }, (_, index) => shiftDay(firstDayBack(due), index));
  const first = since > due ? due : since;
  return days.filter((day) => day >= first && !known.has(day));
}

/**
 * Returns an organization's record after a day was compared. Removes `today` and later days, which were compared before
 * they ended, while the clock was ahead.
 */
export function withCompared(
  before: Reconciled | undefined,
  day: string,
  today: string,
): Reconciled {
  const { compared = [], behind = [] } = before ?? {};
  const days = [...new Set([...compared, day])].filter((each) => each < today).sort();
  return {
    ...before,
    compared: days.slice(-rememberedDays),
    behind: behind.filter((each) => each !== day),
  };
}

/** Returns the record of all organizations after one organization's number of uncompared days has changed. */
export function withBehind(
  { since, behind }: Reconciliation,
  organizationId: number,
  days: number,
): Reconciliation {
  const { [organizationId]: _, ...others } = behind;
  const all = days === 0 ? others : { ...others, [organizationId]: Math.min(days, daysBack) };
  const kept = Object.entries(all)
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxBehind);
  return { since, behind: Object.fromEntries(kept) };
}
