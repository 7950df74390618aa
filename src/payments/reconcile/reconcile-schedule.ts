import { formatProviderTime } from '../zoned-time.js';
import { shiftDay } from './days.js';

/** What is remembered of the nightly reconciliation. */
export interface NightlyState {
  /** The latest day that was compared, or that was over when the process started. */
  readonly day: string;
  /** When that was, monotonic. */
  readonly since: number;
  readonly hasRun: boolean;
}

/** Two runs are at least this far apart, in milliseconds, whatever the wall clock says. */
export const leastBetweenRuns = 12 * 3_600_000;

/** The day that should have been compared by now: from `at` (`HH:MM`) on yesterday, before it the day before. */
export function dueDay(now: number, at: string, zone: string): string {
  const time = formatProviderTime(now, zone);
  return shiftDay(time.slice(0, 10), time.slice(11, 16) >= at ? -1 : -2);
}

/**
 * Whether `due` is to be compared now. It changes once a day, and when the wall clock steps: after a step
 * forward the next run is early and no other follows soon; after one back, nothing is repeated at once. In
 * either case there is a run again within a day.
 */
export function isDue(
  { day, since, hasRun }: NightlyState,
  due: string,
  monotonic: number,
): boolean {
  if (due === day) return false;
  const isFirst = !hasRun && due > day;
  return isFirst || monotonic - since >= leastBetweenRuns;
}
