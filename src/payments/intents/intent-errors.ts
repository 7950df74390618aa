import { AppError } from '../../base/errors.js';
import { formatTenge } from '../../words/formats.js';
import type { Payment, PaymentType } from '../payment.js';
import { maskPhone } from '../phone.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { Return } from './candidates.js';
import type { Intent } from './intent.js';

const listHint = 'msgsite pay payments --state in_doubt lists the intents in doubt.';

const typeText: Readonly<Record<Intent['kind'], string>> = {
  qr: 'a QR payment',
  invoice: 'an invoice',
  refund: 'a refund',
};

const conflict = (message: string, hint = listHint) => new AppError('conflict', message, { hint });

export function noSuchIntent(id: string): AppError {
  return new AppError('not_found', `Unknown intent ID ${id}.`, { hint: listHint });
}

export function isSettled({ id, state, operationId }: Intent): AppError {
  const closed = state === 'abandoned' ? 'it was abandoned' : 'it was closed as never made';
  const outcome = state === 'adopted' ? `it was adopted as operation ${operationId}` : closed;
  return conflict(`Intent ${id} is no longer in doubt: ${outcome}.`);
}

export function mayStillBeAnswered({ id, answerUntil = 0 }: Intent): AppError {
  const until = new Date(answerUntil).toISOString();
  return conflict(
    `The bank may still answer the request of intent ${id} until ${until}.`,
    'A late answer settles the intent. If none arrives by then, settle it yourself.',
  );
}

export function isRepeated({ id }: Intent): AppError {
  return conflict(`Intent ${id} is being repeated.`, 'Wait for the result.');
}

export function mayBeOfSeveral(intents: readonly Intent[]): AppError {
  const ids = intents.map(({ id }) => id).join(', ');
  return conflict(
    `Several intents may have made this operation: ${ids}.`,
    'Choose one with --intent.',
  );
}

export function isOfType(id: string, type: PaymentType): AppError {
  return new AppError('conflict', `The bank reports operation ${id} as ${typeText[type]}.`);
}

export function isStoredAs({ id, type }: Payment): AppError {
  return new AppError('conflict', `Operation ${id} is already stored as ${typeText[type]}.`);
}

export function isOfAnother(id: string, intentId: string): AppError {
  return conflict(`Operation ${id} is already stored and does not belong to intent ${intentId}.`);
}

export function isUnlike(
  intent: Intent,
  made: Intent,
  by: 'kind' | 'amount' | 'clientPhone',
): AppError {
  const text = ({ kind, amount, clientPhone = '' }: Intent) =>
    ({ kind: typeText[kind], amount: formatTenge(amount), clientPhone: maskPhone(clientPhone) })[
      by
    ];
  const verb = by === 'kind' ? 'is' : 'is for';
  return conflict(
    `Operation ${made.operationId} does not belong to intent ${intent.id}: it ${verb} ${text(made)}, but the request ${verb} ${text(intent)}.`,
  );
}

/** Returns the error for a return that the bank does not list or that is already stored. */
export function noSuchReturn(
  { id, paymentId }: Intent,
  returnId: string,
  returns: readonly Return[],
): AppError {
  const rows = returns.map(
    (each) => `${each.id} (${each.amount === null ? 'amount unknown' : formatTenge(each.amount)})`,
  );
  const hint =
    rows.length === 0
      ? 'All returns that the bank lists are already stored here.'
      : `Choose one of these with --intent ${id}: ${rows.join(', ')}.`;
  return new AppError(
    'not_found',
    `Return ${returnId} of payment ${paymentId} is unknown to the bank or already stored here.`,
    { hint },
  );
}

/** Advice for API clients if it is unknown whether money has moved. */
export const repeatAdvice =
  'The money may have moved. Repeat the request only with the same Idempotency-Key. A different key could move it again.';

/** Adds the advice for an unknown outcome to a provider's failure. */
export function unknownOutcome(error: ProviderError): ProviderError {
  return new ProviderError(error.kind, `${error.message} ${repeatAdvice}`, {
    answer: error.details as ProviderAnswer, // A ProviderError's details are an answer.
    hint: 'msgsite pay payments --state in_doubt lists requests in doubt.',
    fields: { outcome: 'unknown' },
    cause: error,
    isClear: false,
  });
}

/**
 * Adds the advice for an unknown outcome to a failure to store the provider's answer. Returns other failures unchanged.
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

/** Returns the error for a request whose key belongs to a request in doubt. */
export function inDoubt({ id, kind, createdAt }: Intent, cause?: unknown): AppError {
  const since = new Date(createdAt).toISOString();
  return new AppError(
    'in_doubt',
    `The outcome of the request with this Idempotency-Key is not known yet (${kind}, ${since}).`,
    {
      fields: { outcome: 'unknown', intent: id },
      cause,
      hint: 'The gateway keeps checking with the provider. msgsite pay payments --state in_doubt lists the request.',
    },
  );
}
