import { parseProviderTime, providerDay } from '../zoned-time.js';

/** Days before it are none of a gateway's; the first ones of the calendar have no day before them. */
export const firstDay = '2000-01-01';

/** The day so many days later, or earlier: `2026-11-21`, -1 -> `2026-11-20`. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** From the first millisecond of a day to the first one after it, on the clocks of `zone` (IANA name). */
export interface DaySpan {
  readonly from: number;
  readonly to: number;
}

/** A day with so many more on both sides; a day of 23 or 25 hours is as long as it is. */
export function spanOf(day: string, zone: string, more = 0): DaySpan {
  return {
    from: startOf(shiftDay(day, -more), zone),
    to: startOf(shiftDay(day, more + 1), zone),
  };
}

function startOf(day: string, zone: string): number {
  const start = parseProviderTime(day, zone);
  if (start === undefined) throw new Error(`${day} is no day.`);
  return start;
}

/** True for a moment within a span. */
export function isWithin(moment: number, { from, to }: DaySpan): boolean {
  return moment >= from && moment < to;
}

/** The day before the one that it is in `zone`. */
export function yesterday(now: number, zone: string): string {
  return shiftDay(providerDay(now, zone), -1);
}
