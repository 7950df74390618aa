import { deepestJson, excessOf } from '../../json/bounds.js';
import { type ProviderAnswer, ProviderError } from './provider.js';

/** Bytes of a provider's answer over HTTP, and characters of a module's. */
export const longestAnswer = 1_000_000;
/** Characters of a provider's message that are passed on. */
const longestMessage = 500;

const words = {
  depth: `is nested more than ${deepestJson} levels deep`,
  length: 'is too long',
} as const;

/** Gives an answer that can be stored and passed on; throws a ProviderError for any other. */
export function boundedAnswer(answer: ProviderAnswer): ProviderAnswer {
  const excess = excessOf(answer, { longest: longestAnswer });
  if (excess === undefined) return answer;
  throw new ProviderError('failure', `The provider's answer ${words[excess]}.`);
}

/** The same failure in words of usual length, without an answer that is too much. */
export function boundedError(error: ProviderError): ProviderError {
  const { kind, message, hint, details, cause, isClear, late } = error;
  const isTooMuch = excessOf(details, { longest: longestAnswer }) !== undefined;
  if (!isTooMuch && message.length <= longestMessage) return error;
  return new ProviderError(kind, message.slice(0, longestMessage), {
    answer: isTooMuch ? {} : (details as ProviderAnswer), // A ProviderError's details are an answer.
    ...(hint === undefined ? {} : { hint }),
    cause,
    isClear,
    late,
  });
}
