import { formatDay, formatShortDay, type Locale } from '../format.js';
import type { ChartItem } from './build.js';

/** Ranges of the date filter, in days; 0 selects all dates. */
export const dayRanges = [7, 30, 90, 0] as const;

/** Maximum number of days in a chart, up to the latest day (about three years). */
const maxDays = 1100;

/**
 * Returns the latest date of the rows, on which every range ends. The current date is not used, so that the page is the
 * same whenever it is opened.
 */
export function latestDay(days: Iterable<number | undefined>): number | undefined {
  let latest: number | undefined;
  for (const day of days) {
    if (day !== undefined && (latest === undefined || day > latest)) latest = day;
  }
  return latest;
}

/** Returns true if a day is in the range. Rows without a date are only in the range of all dates. */
export function inRange(day: number | undefined, range: number, latest: number): boolean {
  return range === 0 || (day !== undefined && day > latest - range && day <= latest);
}

/** Returns one bar for each day of the range, including days without rows. */
export function countDays(
  days: readonly (number | undefined)[],
  range: number,
  latest: number,
  locale: Locale,
): readonly ChartItem[] {
  const counts = new Map<number, number>();
  let first = latest;
  for (const day of days) {
    if (day === undefined || !inRange(day, range, latest)) continue;
    counts.set(day, (counts.get(day) ?? 0) + 1);
    first = Math.min(first, day);
  }
  const start = Math.max(range === 0 ? first : latest - range + 1, latest - maxDays + 1);
  return Array.from({ length: latest - start + 1 }, (_, index) => {
    const day = start + index;
    const value = counts.get(day) ?? 0;
    return {
      label: formatShortDay(day, locale),
      value,
      text: String(value),
      hint: [formatDay(day, locale)],
    };
  });
}
