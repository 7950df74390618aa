import { AppError, exitCodes } from '../../src/base/errors.js';

/** What a command says where nobody knows whether its money has moved. */
interface DoubtWords {
  /** What is not known, as a sentence without its end: `It is not known whether …`. */
  readonly what: string;
  /** What is safe to do, and what is not. */
  readonly advice: string;
}

/**
 * The failure of a call that moves money, in words that nobody pays twice by: where it is not known whether it was done,
 * it ends the command with 7 and names the key. Any other failure is given back unchanged.
 */
export function explainDoubt(error: unknown, { what, advice }: DoubtWords): unknown {
  if (!(error instanceof AppError) || error.fields.outcome !== 'unknown') return error;
  const { code, message, details, headers, fields, cause } = error;
  const key = headers['Idempotency-Key'];
  // The advice to HTTP clients speaks of a header; here the command speaks for itself.
  const reason = cause instanceof AppError ? cause.message : message;
  return new AppError(code, `${what}: ${reason}`, {
    ...(details ? { details } : {}),
    fields: { ...fields, ...(key === undefined ? {} : { key }) },
    hint: `${advice}\nA running serve finds out what became of it, and takes in what was made.\nWhat is in doubt: msgsite pay payments --state in_doubt`,
    exitCode: exitCodes.outcomeUnknown,
    cause,
  });
}
