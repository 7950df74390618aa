import { formatDay, formatShortDay, type Locale } from '../format.js';
import type { ChartItem } from './build.js';

/** Ranges of the date filter in days; 0 = everything. */
export const dayRanges = [7, 30, 90, 0] as const;

/** The most days of a chart, the latest ones (about three years). */
const mostDays = 1100;

/**
 * The day that ranges count back from: the newest date among the rows, so that a page shows the same
 * whenever it is opened.
 */
export function latestDay(days: Iterable<number | undefined>): number | undefined {
  let latest: number | undefined;
  for (const day of days) {
    if (day !== undefined && (latest === undefined || day > latest)) latest = day;
  }
  return latest;
}

/** Whether a row of that day is inside the range. Rows without a date show only without a range. */
export function inRange(day: number | undefined, range: number, latest: number): boolean {
  return range === 0 || (day !== undefined && day > latest - range && day <= latest);
}

/** One bar a day of the range, also for days without rows. */
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
  const start = Math.max(range === 0 ? first : latest - range + 1, latest - mostDays + 1);
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
