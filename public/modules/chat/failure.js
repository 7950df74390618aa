// What can go wrong with a call, and what that means for trying again.

/** @typedef {import('./types.js').Failure} Failure */

/** A failure with a sentence to show and a stable code; see `Failure`. */
export class ChatError extends Error {
  /**
   * @param {string} message
   * @param {object} facts
   * @param {string} facts.code
   * @param {number} [facts.status]
   * @param {Failure['details']} [facts.details]
   * @param {boolean} [facts.isAnswer] the service itself said so, in its own envelope
   * @param {number | null} [facts.retryAfter] milliseconds that the service asks to wait
   */
  constructor(message, { code, status = 0, details = [], isAnswer = false, retryAfter = null }) {
    super(message);
    this.name = 'ChatError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.isAnswer = isAnswer;
    this.retryAfter = retryAfter;
  }
}

/** @param {unknown} error @returns {Failure} */
export function asFailure(error) {
  if (error instanceof ChatError) {
    const { code, message, status, details } = error;
    return { code, message, status, details };
  }
  // A fault of this program; it is shown rather than thrown out of a loop.
  return { code: 'internal', message: String(error), status: 0, details: [] };
}

/** Answers below 500 that say nothing about the request itself: the same one may be taken later. */
const passing = new Set([401, 408, 421, 425, 429]);

/**
 * Whether the service refused this request for good: the same one would be refused again.
 *
 * @param {unknown} error
 * @returns {error is ChatError}
 */
export function isRefusal(error) {
  if (!(error instanceof ChatError) || !error.isAnswer) return false;
  return error.status >= 400 && error.status < 500 && !passing.has(error.status);
}

/**
 * Whether the service no longer shows the chat: one was removed from it, or it is no more.
 *
 * @param {unknown} error
 */
export function isGone(error) {
  return isRefusal(error) && (error.status === 403 || error.status === 404);
}

/**
 * Whether the service does not take the token.
 *
 * @param {unknown} error
 */
export function isUnauthorized(error) {
  return error instanceof ChatError && error.isAnswer && error.status === 401;
}

/** Somebody signed out while a call was under way, or before it began. */
export function ended() {
  return new ChatError('You are signed out.', { code: 'ended' });
}

/** @param {string} what names what is wrong with the answer */
export function badAnswer(what) {
  return new ChatError(`The server answered in a way this page does not understand (${what}).`, {
    code: 'bad_answer',
  });
}

/** A post that may have arrived long ago; the user decides about it. */
export function tooOld() {
  return new ChatError('This was tried long ago and may have arrived. Send it again?', {
    code: 'too_old',
  });
}

/**
 * Whether trying again by itself makes no sense: refused, signed out, or for the user to decide.
 *
 * @param {unknown} error
 */
export function isFinal(error) {
  if (isRefusal(error)) return true;
  return error instanceof ChatError && ['ended', 'too_old'].includes(error.code);
}
