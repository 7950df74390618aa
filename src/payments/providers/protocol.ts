import type { Failure } from '#validators/provider-protocol';
import { deepestJson, excessOf } from '../../json/bounds.js';
import { isObject } from '../../json/pointers.js';
import type { ProviderAnswer } from './provider.js';
import { ProviderError, type ProviderErrorKind, type ProviderSession } from './provider.js';

/** The protocol's path below the provider's base address; see docs/payments/provider-protocol.md. */
export const protocolRoot = 'provider/v1';

/** Header names of the protocol, in lower case as in Node.js. */
export const protocolHeaders = {
  tokenSN: 'x-token-sn',
  secret: 'x-vtoken-secret',
  idempotencyKey: 'idempotency-key',
} as const;

/** The HTTP status of each kind of failure. */
export const failureStatus: Readonly<Record<ProviderErrorKind, number>> = {
  session_ended: 401,
  not_found: 404,
  refused: 409,
  failure: 500,
  timeout: 504,
};

/** Returns the headers of a session. */
export function sessionHeaders({ tokenSN, secret }: ProviderSession): Record<string, string> {
  return { [protocolHeaders.tokenSN]: tokenSN, [protocolHeaders.secret]: secret };
}

/** Returns the body of a failure's HTTP response. */
export function failureBody(error: ProviderError): Failure {
  const { kind, message, details } = error;
  const answer = isObject(details) && Object.keys(details).length > 0 ? details : undefined;
  return { kind, message, ...(answer ? { answer } : {}) };
}

/**
 * Returns the failure in an HTTP response. Only a body with a `kind` comes from the provider itself. A 404 from a proxy
 * does not mean that an operation is unknown.
 */
export function failureOf(status: number, body: unknown): ProviderError {
  if (isObject(body) && isFailureKind(body.kind)) {
    const message =
      typeof body.message === 'string' ? body.message : 'The provider refused the request.';
    const answer = isObject(body.answer) ? body.answer : undefined;
    return new ProviderError(body.kind, message, { answer });
  }
  const answer = isObject(body) ? body : undefined;
  return new ProviderError('failure', `The provider responded with HTTP ${status}.`, { answer });
}

export function isFailureKind(value: unknown): value is ProviderErrorKind {
  return typeof value === 'string' && Object.hasOwn(failureStatus, value);
}

/** Maximum length of a provider's answer: in bytes over HTTP, in characters from a module. */
export const maxAnswerLength = 1_000_000;
/** Maximum length of a provider's message that is passed on, in characters. */
const maxMessageLength = 500;

const excessText = {
  depth: `is nested more than ${deepestJson} levels deep`,
  length: 'is too long',
} as const;

/** Returns the answer. Throws a ProviderError if it is too long or too deeply nested. */
export function boundedAnswer(answer: ProviderAnswer): ProviderAnswer {
  const excess = excessOf(answer, { longest: maxAnswerLength });
  if (excess === undefined) return answer;
  throw new ProviderError('failure', `The provider's answer ${excessText[excess]}.`);
}

/** Returns the failure with a truncated message. Omits an answer that is too long or too deeply nested. */
export function boundedError(error: ProviderError): ProviderError {
  const { kind, message, hint, details, cause, isClear, late } = error;
  const isTooMuch = excessOf(details, { longest: maxAnswerLength }) !== undefined;
  if (!isTooMuch && message.length <= maxMessageLength) return error;
  return new ProviderError(kind, message.slice(0, maxMessageLength), {
    answer: isTooMuch ? {} : (details as ProviderAnswer), // A ProviderError's details are an answer.
    ...(hint === undefined ? {} : { hint }),
    cause,
    isClear,
    late,
  });
}
