// How long to wait before a failed call is repeated.

/** The longest time between two attempts (milliseconds). */
const longest = 30_000;
/** The first time between two attempts, before jitter (milliseconds). */
const shortest = 500;
/** The longest wait that a service can ask for (milliseconds). */
const maxAsked = 600_000;

/**
 * Returns the milliseconds to wait after `failures` failures in a row (1 or more): twice as long each time, half of it
 * random, so that the clients of a server that restarts do not all return at the same moment. `chance` is from 0 up
 * to 1.
 */
export function backoff(failures: number, chance: number): number {
  const whole = Math.min(longest, shortest * 2 ** Math.min(failures - 1, 16));
  return whole / 2 + (whole / 2) * chance;
}

/**
 * Returns the milliseconds that a `Retry-After` header asks to wait, or null without a usable one. A date is compared
 * with the answer's own `Date`, never with the local clock.
 */
export function readRetryAfter(header: string | null, date: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : secondsUntil(header, date);
  if (!Number.isFinite(seconds)) return null;
  return Math.min(maxAsked, Math.max(0, seconds * 1000));
}

function secondsUntil(until: string, date: string | null): number {
  return (Date.parse(until) - Date.parse(date ?? '')) / 1000;
}
