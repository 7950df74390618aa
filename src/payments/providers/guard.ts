import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { startDeadline } from '../../base/deadlines.js';
import { isObject } from '../../json/pointers.js';
import { boundedAnswer, boundedError, isFailureKind } from './protocol.js';
import {
  everyOperation,
  maxLateness,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  providerOperations,
} from './provider.js';

const closedUnanswered = 'The provider was closed before it responded.';

type AnyMethod = (input: never, call: ProviderCall) => Promise<ProviderAnswer>;

/**
 * Makes any provider safe to call. Every call ends within `timeout` milliseconds, and every failure becomes a
 * ProviderError. An answer also becomes a ProviderError if its StatusCode is not 0, or if it is too long or too deeply
 * nested to be stored. A sign-in step may omit the StatusCode.
 *
 * A timeout does not abort a call that moves money. The call may continue for another `maxLateness` milliseconds, and
 * the timeout error contains the late answer. Closing the provider ends every call.
 */
export function guardProvider(
  provider: PaymentProvider,
  { clock, timeout }: { readonly clock: Clock; readonly timeout: number },
): PaymentProvider {
  /** Functions that end the calls in progress when the provider is closed. */
  const closing = new Set<() => void>();
  let isClosed = false;

  /**
   * Runs the work until it ends, its deadline passes or the caller aborts. In the last two cases, the work's signal is
   * aborted.
   */
  function within(
    name: ProviderOperation,
    call: ProviderCall,
    work: (call: ProviderCall) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (error: ProviderError) => {
        settle();
        reject(error);
        controller.abort(error);
      };
      const giveUp = () => end(new ProviderError('failure', 'The call was aborted.'));
      const close = () => end(new ProviderError('failure', closedUnanswered));
      const settle = () => {
        cancel();
        closing.delete(close);
        call.signal.removeEventListener('abort', giveUp);
      };
      const cancel = startDeadline(clock, timeout, () => {
        const message = 'The provider did not respond in time.';
        if (providerOperations[name].effect !== 'money') {
          return end(new ProviderError('timeout', message));
        }
        settle();
        reject(new ProviderError('timeout', message, { late: awaitLate(answer, controller) }));
      });
      if (call.signal.aborted) return giveUp();
      call.signal.addEventListener('abort', giveUp, { once: true });
      closing.add(close);
      const answer = Promise.resolve()
        .then(() => work({ ...call, signal: controller.signal }))
        .then((answer) => accepted(answer, providerOperations[name].session))
        .catch((error) => {
          throw boundedError(toProviderError(error));
        });
      answer.then(resolve, reject).finally(settle);
    });
  }

  /** Returns the late answer of a call that timed out. Its rejection does not have to be handled. */
  function awaitLate(
    answer: Promise<ProviderAnswer>,
    controller: AbortController,
  ): Promise<ProviderAnswer> {
    const late = new Promise<ProviderAnswer>((resolve, reject) => {
      const end = (message: string) => () => {
        settle();
        const error = new ProviderError('timeout', message);
        reject(error);
        controller.abort(error);
      };
      const close = end(closedUnanswered);
      const tooLate = end('The provider never responded.');
      const cancel = startDeadline(clock, maxLateness, tooLate);
      const settle = () => {
        cancel();
        closing.delete(close);
      };
      closing.add(close);
      answer.then(resolve, reject).finally(settle);
    });
    late.catch(() => {});
    return late;
  }

  const guarded = (name: ProviderOperation) => async (input: never, call: ProviderCall) => {
    if (providerOperations[name].optional && typeof provider[name] !== 'function') {
      throw new ProviderError('failure', `The provider does not support ${name}.`, {
        isClear: true,
      });
    }
    if (isClosed) {
      throw new ProviderError('failure', 'The provider is closed.', { isClear: true });
    }
    const method: AnyMethod = provider[name].bind(provider);
    return within(name, call, (bounded) => method(input, bounded));
  };

  return {
    ...everyOperation(guarded),
    async close() {
      isClosed = true;

      for (const end of [...closing]) end();
      await provider.close();
    },
  };
}

/** Converts any thrown value. A custom module throws plain errors with the fields `kind`, `answer` and `isClear`. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const fields = (error ?? {}) as Partial<Record<string, unknown>>;
  const { kind, message, answer } = fields;
  const isClear = typeof fields.isClear === 'boolean' ? fields.isClear : undefined;
  if (isFailureKind(kind)) {
    const details = isObject(answer) ? answer : undefined;
    return new ProviderError(kind, String(message), { answer: details, cause: error, isClear });
  }
  return new ProviderError('failure', 'The provider failed.', { cause: error, isClear });
}

/** Returns the answer if its StatusCode is 0. Any other number is a clear refusal, and other values are unclear. */
function accepted(answer: unknown, isEnvelope: boolean): ProviderAnswer {
  if (!isObject(answer)) {
    throw new ProviderError('failure', "The provider's answer is not an object.");
  }
  const { StatusCode, Message } = answer;
  if (isZero(StatusCode) || (StatusCode === undefined && !isEnvelope)) return boundedAnswer(answer);
  if (StatusCode === undefined) {
    throw new ProviderError('failure', "The provider's answer lacks a StatusCode.", { answer });
  }
  const isClear = typeof StatusCode === 'bigint' || Number.isFinite(StatusCode);
  const defaultMessage = isClear
    ? 'The provider refused the request.'
    : "The provider's answer has an invalid StatusCode.";
  const message = typeof Message === 'string' && Message ? Message : defaultMessage;
  throw new ProviderError('failure', message, { answer, isClear });
}

function isZero(code: unknown): boolean {
  return code === 0 || code === 0n || code === '0';
}

/**
 * Calls the provider under a key. The number of concurrent calls per key is limited, and further calls are queued. A
 * call that has waited too long fails with a clear `timeout`, because its client has given up.
 */
export type InTurn = <Result>(key: string, call: () => Promise<Result>) => Promise<Result>;

interface Line {
  readonly limit: LimitFunction;
  users: number;
}

/** Maximum wait of a call in the queue of its key, in milliseconds. Longer than most clients wait. */
const maxWait = 25_000;

/** Allows `max` concurrent calls per key. Unused keys use no memory. */
export function createInTurn(max: number, clock: Clock): InTurn {
  const lines = new Map<string, Line>();
  return async function inTurn(key, call) {
    const line = lines.get(key) ?? { limit: pLimit(max), users: 0 };
    lines.set(key, line);
    line.users += 1;
    const since = clock.monotonic();
    try {
      return await line.limit(() => {
        if (clock.monotonic() - since <= maxWait) return call();
        const message = 'Too many calls to the provider were waiting.';
        throw new ProviderError('timeout', message, { isClear: true });
      });
    } finally {
      line.users -= 1;
      if (line.users === 0) lines.delete(key);
    }
  };
}
