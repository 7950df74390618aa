// The failures of calls, and whether they can be retried.

/** An error at one location in the input. */
export interface Detail {
  readonly path: string;
  readonly message: string;
}

/**
 * A failure in the state of a page. `code` is a code of the server, such as `forbidden`, or of the page: `offline`,
 * `timeout`, `bad_answer`, `ended` (signed out in the meantime), `text_empty`, `text_too_long`, `outbox_full` or
 * `too_old` (first sent more than 23 hours ago, so a retry could post it twice).
 */
export interface Failure {
  readonly code: string;
  /** A message in English, from the server if it sent one. */
  readonly message: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly details: readonly Detail[];
}

interface CallFacts {
  readonly code: string;
  readonly status?: number;
  readonly details?: readonly Detail[];
  /** True if the error was sent by the service itself, and not by a proxy. */
  readonly isAnswer?: boolean;
  /** The delay that the service requests, in milliseconds. */
  readonly retryAfter?: number | null;
}

/** A failed call, with a message to show and a stable code. See `Failure`. */
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
  // A bug in this program is reported as a failure, so that it does not stop a loop.
  return { code: 'internal', message: String(error), status: 0, details: [] };
}

/** Status codes below 500 that do not concern the request itself. The same request may be accepted later. */
const temporary = new Set([401, 408, 421, 425, 429]);

/** Returns whether the service rejected the request permanently, so a retry would be rejected too. */
export function isRefusal(error: unknown): error is CallError {
  if (!(error instanceof CallError) || !error.isAnswer) return false;
  return error.status >= 400 && error.status < 500 && !temporary.has(error.status);
}

/** Returns whether the user no longer has access to the chat, because the user was removed or the chat was deleted. */
export function isGone(error: unknown): boolean {
  return isRefusal(error) && (error.status === 403 || error.status === 404);
}

/** Returns whether the service rejected the token. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof CallError && error.isAnswer && error.status === 401;
}

/** Returns the failure of a call after the user has signed out. */
export function ended(): CallError {
  return new CallError('You are signed out.', { code: 'ended' });
}

/** Returns the failure for a response that the page cannot use. */
export function badAnswer(reason: string): CallError {
  return new CallError(`The page cannot read the server's response (${reason}).`, {
    code: 'bad_answer',
  });
}

/** Returns the failure for a post that may have arrived long ago. The user decides whether to send it again. */
export function tooOld(): CallError {
  return new CallError(
    'This message was sent long ago and may have arrived. Check the chat before you send it again.',
    {
      code: 'too_old',
    },
  );
}

/** Returns whether a call must not be retried automatically: rejected, signed out, or left to the user. */
export function isFinal(error: unknown): boolean {
  if (isRefusal(error)) return true;
  return error instanceof CallError && ['ended', 'too_old'].includes(error.code);
}
