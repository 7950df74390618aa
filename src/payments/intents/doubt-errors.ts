import { AppError } from '../../base/errors.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { Intent } from './intent.js';

/** What clients of the HTTP API are to do where it is not known whether money has moved. */
export const repeatAdvice =
  'The money may have moved. Repeat the request only with the same Idempotency-Key; another key could move it again.';

/** The failure in words that let nobody believe that nothing was done; its cause is the failure itself. */
export function unknownOutcome(error: ProviderError): ProviderError {
  return new ProviderError(error.kind, `${error.message} ${repeatAdvice}`, {
    answer: error.details as ProviderAnswer, // A ProviderError's details are an answer.
    hint: 'msgsite pay payments --state in_doubt lists what is not clear yet.',
    fields: { outcome: 'unknown' },
    cause: error,
    isClear: false,
  });
}

/**
 * The failure to store what the provider has answered: it says that nothing is lost, and not that nothing was done. Other
 * failures are given back unchanged.
 */
export function unstoredOutcome(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'storage_unavailable') return error;
  const { code, message, headers, hint } = error;
  return new AppError(code, `${message} ${repeatAdvice}`, {
    headers,
    ...(hint === undefined ? {} : { hint }),
    fields: { outcome: 'unknown' },
    cause: error,
  });
}

/** The failure of a request whose key stands for one that is not clear yet. */
export function inDoubt({ id, kind, createdAt }: Intent, cause?: unknown): AppError {
  const since = new Date(createdAt).toISOString();
  return new AppError(
    'in_doubt',
    `The outcome of the request with this Idempotency-Key is not known yet (${kind}, ${since}).`,
    {
      fields: { outcome: 'unknown', intent: id },
      cause,
      hint: 'The gateway keeps asking the provider; msgsite pay payments --state in_doubt lists the request.',
    },
  );
}
