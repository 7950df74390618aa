// When a call is made again that failed.

/** The longest time between two attempts, milliseconds. */
const longest = 30_000;
/** The first one, before jitter. */
const shortest = 500;
/** No service asks to wait for longer than this and means it, milliseconds. */
const longestAsked = 600_000;

/**
 * Milliseconds to wait after `failures` failures in a row (1 or more): twice as long each time, half of
 * it by chance, so that clients of a server that restarts do not all come at the same moment.
 *
 * @param {number} failures
 * @param {number} chance from 0 up to 1
 */
export function backoff(failures, chance) {
  const whole = Math.min(longest, shortest * 2 ** Math.min(failures - 1, 16));
  return whole / 2 + (whole / 2) * chance;
}

/**
 * Milliseconds that a `Retry-After` header asks to wait, or null where it says nothing. A date is
 * compared with the answer's own `Date`, never with the clock here.
 *
 * @param {string | null} header
 * @param {string | null} date
 */
export function readRetryAfter(header, date) {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : secondsUntil(header, date);
  if (!Number.isFinite(seconds)) return null;
  return Math.min(longestAsked, Math.max(0, seconds * 1000));
}

/**
 * @param {string} until
 * @param {string | null} date
 */
function secondsUntil(until, date) {
  return (Date.parse(until) - Date.parse(date ?? '')) / 1000;
}
