// The failures of calls, and which of them are worth a retry.

/** An error at one place of the input. */
export interface Detail {
  readonly path: string;
  readonly message: string;
}

/**
 * A failure, as pages keep it in their state. `code` is the server's own (`forbidden`, `rate_limited`, …) or the
 * page's: `offline`, `timeout`, `bad_answer`, `ended` (signed out in the meantime), `text_empty`, `text_too_long`,
 * `outbox_full`, `too_old` (first tried more than 23 hours ago; sending it again could post it twice).
 */
export interface Failure {
  readonly code: string;
  /** A sentence to show, in English; the server's own words if it sent any. */
  readonly message: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly details: readonly Detail[];
}

interface CallFacts {
  readonly code: string;
  readonly status?: number;
  readonly details?: readonly Detail[];
  /** True if the service itself answered, in its own envelope. */
  readonly isAnswer?: boolean;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfter?: number | null;
}

/** A failed call, with a sentence to show and a stable code; see `Failure`. */
export class CallError extends Error implements Failure {
  override readonly name = 'CallError';
  readonly code: string;
  readonly status: number;
  readonly details: readonly Detail[];
  readonly isAnswer: boolean;
  readonly retryAfter: number | null;

  constructor(
    message: string,
    { code, status = 0, details = [], isAnswer = false, retryAfter = null }: CallFacts,
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.isAnswer = isAnswer;
    this.retryAfter = retryAfter;
  }
}

/** Returns an error as a `Failure`. */
export function asFailure(error: unknown): Failure {
  if (error instanceof CallError) {
    const { code, message, status, details } = error;
    return { code, message, status, details };
  }
  // A bug in this program is shown rather than thrown out of a loop.
  return { code: 'internal', message: String(error), status: 0, details: [] };
}

/** Answers below 500 that say nothing about the request itself: the same one may be accepted later. */
const passing = new Set([401, 408, 421, 425, 429]);

/** Returns true if the service refused this request permanently: it would refuse it again. */
export function isRefusal(error: unknown): error is CallError {
  if (!(error instanceof CallError) || !error.isAnswer) return false;
  return error.status >= 400 && error.status < 500 && !passing.has(error.status);
}

/** Returns true if the service no longer shows the chat: the user was removed from it, or it was deleted. */
export function isGone(error: unknown): boolean {
  return isRefusal(error) && (error.status === 403 || error.status === 404);
}

/** Returns true if the service does not accept the token. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof CallError && error.isAnswer && error.status === 401;
}

/** Returns the failure of a call when the user has signed out. */
export function ended(): CallError {
  return new CallError('You are signed out.', { code: 'ended' });
}

/** Returns the failure for an answer that the page cannot use; `what` says why. */
export function badAnswer(what: string): CallError {
  return new CallError(`This page does not understand the server's answer (${what}).`, {
    code: 'bad_answer',
  });
}

/** Returns the failure for a post that may have arrived long ago; the user decides about it. */
export function tooOld(): CallError {
  return new CallError('This was sent long ago and may have arrived. Send it again?', {
    code: 'too_old',
  });
}

/** Returns true if an automatic retry is pointless: refused, signed out, or left to the user. */
export function isFinal(error: unknown): boolean {
  if (isRefusal(error)) return true;
  return error instanceof CallError && ['ended', 'too_old'].includes(error.code);
}
