/** What came back from a receiver, or why nothing did. */
export interface Answer {
  readonly status: number | null;
  /** A network failure or time-out, in words; null where the whole answer arrived. */
  readonly failure: string | null;
  /** The start of the response body; null where there was no answer. */
  readonly response: string | null;
  /** The header `Retry-After`, where there is one. */
  readonly retryAfter?: string | undefined;
}

/** The status by which a receiver says that it wants no more, ever. */
export const goneStatus = 410;

/**
 * Why an attempt counts as failed, or null where the receiver took the webhook: only a whole 2xx answer
 * in time is a success. A redirect is a failure, because following it would send a signed payment
 * event to an address nobody configured.
 */
export function errorOf({ status, failure }: Pick<Answer, 'status' | 'failure'>): string | null {
  if (failure !== null) return failure;
  if (status === null) return 'no answer';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`;
  return `HTTP ${status}`;
}
