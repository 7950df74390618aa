import { AppError, exitCodes } from '../../src/base/errors.js';
import type { CashierCalls } from '../../src/payments/client/gateway-client.js';
import { askBank, type CashierContext } from './pay-context.js';

/** What a command says where nobody knows whether its money has moved. */
export interface DoubtWords {
  /** What is not known, as a sentence without its end: `It is not known whether …`. */
  readonly what: string;
  /** What is safe to do, and what is not. */
  readonly advice: string;
}

/** A call that moves money. */
export interface MoneyCall<Answer> {
  /** Shown on a terminal meanwhile. */
  readonly doing: string;
  /** The Idempotency-Key under which it is made. */
  readonly key: string;
  readonly words: DoubtWords;
  readonly ask: (cashier: CashierCalls) => Promise<Answer>;
}

/**
 * Asks the bank to move money. Where it is not known whether it did, also since the command was interrupted, the failure
 * says so in words that nobody pays twice by, and names the key.
 */
export async function moveMoney<Answer>(
  pay: CashierContext,
  { doing, key, words, ask }: MoneyCall<Answer>,
): Promise<Answer> {
  const asked = () => askBank(pay, doing, ask);
  try {
    return await pay.context.underWay.during(() => interruptedDoubt(words, key), asked);
  } catch (error) {
    throw explainDoubt(error, words);
  }
}

function interruptedDoubt({ what, advice }: DoubtWords, key: string): AppError {
  return new AppError('in_doubt', `${what}: the bank had not answered when it was interrupted.`, {
    fields: { key },
    hint: adviceText(advice, key),
  });
}

/** What ends the command with 7 and names the key; any other failure is given back unchanged. */
function explainDoubt(error: unknown, { what, advice }: DoubtWords): unknown {
  if (!(error instanceof AppError) || error.fields.outcome !== 'unknown') return error;
  const { code, message, details, headers, fields, cause } = error;
  const key = headers['Idempotency-Key'];
  // The advice to HTTP clients speaks of a header; here the command speaks for itself.
  const reason = cause instanceof AppError ? cause.message : message;
  return new AppError(code, `${what}: ${reason}`, {
    ...(details ? { details } : {}),
    fields: { ...fields, ...(key === undefined ? {} : { key }) },
    hint: adviceText(advice, key),
    exitCode: exitCodes.outcomeUnknown,
    cause,
  });
}

function adviceText(advice: string, key: string | undefined): string {
  return [
    advice,
    'A running serve asks the provider about it and adopts it once the provider proves that it was made.',
    'What is in doubt: msgsite pay payments --state in_doubt',
    ...(key === undefined ? [] : [`Its key: ${key}`]),
  ].join('\n');
}
