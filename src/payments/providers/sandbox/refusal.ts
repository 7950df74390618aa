import { ProviderError, type ProviderErrorKind } from '../provider.js';
import { refusal } from './answers.js';

/** A refusal with the answer of a bank in it; `code` is positive and told as a negative StatusCode. */
export function refuse(
  kind: ProviderErrorKind,
  code: number,
  message: string,
  more: object = {},
): ProviderError {
  return new ProviderError(kind, message, { answer: refusal(-code, message, more) });
}
