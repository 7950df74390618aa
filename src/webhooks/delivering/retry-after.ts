/** Milliseconds of a receiver's `Retry-After` that are respected. */
const longestRetryAfter = 3_600_000;

/** The three forms of a date in HTTP (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT` and the older two. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * How long a `Retry-After` header asks to be left alone, in milliseconds from `now` (milliseconds since the
 * epoch), one hour at most. Undefined where it says nothing that can be followed, or a time that has passed.
 */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : httpDate.test(text)
      ? timeOf(text) - now
      : 0;
  return wait > 0 ? Math.min(wait, longestRetryAfter) : undefined;
}

/** The form without a zone is in GMT, too. */
function timeOf(date: string): number {
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
}
