import type { Clock } from '../../../base/clock.js';
import { AppError, type ErrorCode, exitCodes } from '../../../base/errors.js';
import type { RepeatKey } from '../../idempotency.js';
import { repeatAdvice } from '../../intents/doubt-errors.js';
import type { ProviderAnswer } from '../../providers/provider.js';
import { ConnectionFailure } from './connection-failure.js';
import { longestCall } from './transport.js';

export interface MoneyCall {
  readonly repeat: RepeatKey;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sends it; `timeout` in milliseconds. */
  send(how: {
    readonly headers: Readonly<Record<string, string>>;
    readonly timeout: number;
  }): Promise<ProviderAnswer>;
}

/** Milliseconds without which a second try is not begun. */
const leastTime = 1_000;

/**
 * Asks for something that moves money, under its key. Only where the connection broke before any answer it is asked
 * for once more: under the same key, so that it is done once. What leaves open whether it was done fails with
 * `outcome: "unknown"` and the key.
 */
export async function askForMoney({ repeat, clock, send }: MoneyCall): Promise<ProviderAnswer> {
  const { key } = repeat;
  const headers = { 'Idempotency-Key': key };
  const since = clock.monotonic();
  try {
    return await send({ headers, timeout: longestCall });
  } catch (error) {
    const timeout = longestCall - (clock.monotonic() - since);
    const isBroken = error instanceof ConnectionFailure && error.stage === 'broken';
    if (!isBroken || timeout < leastTime) throw judged(error, { key, isFirst: true });
    return send({ headers, timeout }).catch((second: unknown) => {
      throw judged(second, { key, isFirst: false });
    });
  }
}

interface Try {
  readonly key: string;
  /** False where an earlier request under the key may have been heard. */
  readonly isFirst: boolean;
}

/** A failure of the gateway's that says of money that nothing has moved; any other leaves it open. */
function judged(error: unknown, { key, isFirst }: Try): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.fields.outcome === 'unknown') return inItsWords(error, key);
  const isClear =
    error instanceof ConnectionFailure
      ? error.stage === 'unsent' && isFirst
      : isFirst
        ? !unclear.has(error.code)
        : clearAgain.has(error.code);
  return isClear ? error : doubtful(error, key);
}

/** Answers of a gateway that has failed itself. */
const unclear: ReadonlySet<ErrorCode> = new Set(['internal_error', 'payments_unavailable']);

/** What is said of the request itself, whichever of its tries it is. */
const clearAgain: ReadonlySet<ErrorCode> = new Set([
  'bad_request',
  'validation_failed',
  'not_found',
  'conflict',
  'refused',
  'provider_error',
  'session_ended',
]);

function doubtful(error: AppError, key: string): AppError {
  const isInterrupted = error.code === 'interrupted';
  const cause = isInterrupted
    ? new AppError('in_doubt', 'It was interrupted before the gateway answered.', { cause: error })
    : error;
  return unknown(cause, `${cause.message} ${repeatAdvice}`, { key, cause });
}

/** The gateway's own doubt; its advice to HTTP clients is no part of the reason. */
function inItsWords(error: AppError, key: string): AppError {
  const { code, message, details, fields } = error;
  const reason = message.endsWith(` ${repeatAdvice}`)
    ? message.slice(0, -repeatAdvice.length - 1)
    : message;
  const cause = new AppError(code, reason, { ...(details ? { details } : {}), fields });
  return unknown(error, message, { key, cause });
}

function unknown(
  { code, details, fields, hint }: AppError,
  message: string,
  { key, cause }: { readonly key: string; readonly cause: AppError },
): AppError {
  return new AppError(code, message, {
    ...(details ? { details } : {}),
    ...(hint === undefined ? {} : { hint }),
    fields: { ...fields, outcome: 'unknown' },
    headers: { 'Idempotency-Key': key },
    exitCode: exitCodes.outcomeUnknown,
    cause,
  });
}
