// Calculates the delay before a failed call is retried.

/** Maximum delay between two attempts, in milliseconds. */
const longest = 30_000;
/** Initial delay between two attempts before jitter, in milliseconds. */
const shortest = 500;
/** Maximum delay that a service can request, in milliseconds. */
const maxRetryAfter = 600_000;

/**
 * Returns the delay after `failures` consecutive failures (1 or more), in milliseconds. It doubles each time, and half
 * of it is random, so that the clients of a restarted server do not all return at the same time. `chance` is a random
 * number from 0 to 1.
 */
export function backoff(failures: number, chance: number): number {
  const whole = Math.min(longest, shortest * 2 ** Math.min(failures - 1, 16));
  return whole / 2 + (whole / 2) * chance;
}

/**
 * Returns the delay that a `Retry-After` header requests, in milliseconds, or null if the header is missing or invalid.
 * A date is compared with the response's `Date` header, never with the local clock.
 */
export function readRetryAfter(header: string | null, date: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : secondsUntil(header, date);
  if (!Number.isFinite(seconds)) return null;
  return Math.min(maxRetryAfter, Math.max(0, seconds * 1000));
}

function secondsUntil(until: string, date: string | null): number {
  return (Date.parse(until) - Date.parse(date ?? '')) / 1000;
}
