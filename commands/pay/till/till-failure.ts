import { AppError, type ErrorCode, exitCodes } from '../../../src/base/errors.js';
import {
  ConnectionFailure,
  type Stage,
} from '../../../src/payments/client/remote/connection-failure.js';
import type { TillFailure } from '../../../src/terminal/till/till-types.js';

/** Failures of the way to the gateway or to its storage: they pass, and nothing was done. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'storage_unavailable',
  'payments_unavailable',
  'shutting_down',
  'request_timeout',
  'rate_limited',
]);

/** Characters of a message that the till shows. */
const longestText = 300;

/** Returns a failure as the till sorts it. */
export function tillFailure(error: unknown): TillFailure {
  return { kind: kindOf(error), text: textOf(error).slice(0, longestText) };
}

/** If the outcome is unknown, the message itself contains advice for HTTP clients. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isUnknown = error instanceof AppError && error.fields.outcome === 'unknown';
  return isUnknown && error.cause instanceof AppError ? error.cause.message : error.message;
}

function kindOf(error: unknown): TillFailure['kind'] {
  if (!(error instanceof AppError)) return 'refused';
  if (error.fields.outcome === 'unknown') return isUnanswered(error) ? 'away' : 'doubt';
  if (error.exitCode === exitCodes.notSignedIn) return 'signed_out';
  return passing.has(error.code) ? 'away' : 'refused';
}

/** As far as a request came that was not answered with a word, in its last try. */
const unanswered: ReadonlySet<Stage> = new Set(['unsent', 'broken', 'late']);

/**
 * Whether a gateway on another machine has not said a word of the request: under the same key, which the till keeps, it
 * is asked for again once it answers, and is done once.
 */
function isUnanswered({ cause }: AppError): boolean {
  return cause instanceof ConnectionFailure && unanswered.has(cause.stage);
}
