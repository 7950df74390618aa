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

const closedUnanswered = 'The provider was closed before it answered.';

type AnyMethod = (input: never, call: ProviderCall) => Promise<ProviderAnswer>;

/**
 * Makes any provider safe to call. Every call ends within `timeout` milliseconds, and every failure becomes a
 * ProviderError. So does an answer whose StatusCode is not 0, or that is too long or too deep to be stored and passed
 * on. A step of a sign-in may omit the StatusCode.
 *
 * A timeout does not abort a call that moves money: the call may continue for another `maxLateness`, and the
 * timeout's error carries its late answer. Closing the provider ends every call.
 */
export function guardProvider(
  provider: PaymentProvider,
  { clock, timeout }: { readonly clock: Clock; readonly timeout: number },
): PaymentProvider {
  /** Functions that end the calls in progress when the provider is closed. */
  const closing = new Set<() => void>();
  let isClosed = false;

  /** Runs the work until it ends, its deadline passes or the caller aborts; the last two abort the work's signal. */
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
        const message = 'The provider did not answer in time.';
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

  /** Returns the late answer of a call that timed out. Nobody has to handle its rejection. */
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
      const tooLate = end('The provider never answered.');
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
      throw new ProviderError('failure', `The provider has no ${name}.`, { isClear: true });
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

/** Converts anything thrown. A custom module throws plain errors with the fields `kind`, `answer` and `isClear`. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const fields = (error ?? {}) as Partial<Record<string, unknown>>;
  const { kind, message, answer } = fields;
  const isClear = typeof fields.isClear === 'boolean' ? fields.isClear : undefined;
  if (isFailureKind(kind)) {
    const said = isObject(answer) ? answer : undefined;
    return new ProviderError(kind, String(message), { answer: said, cause: error, isClear });
  }
  return new ProviderError('failure', 'The provider failed.', { cause: error, isClear });
}

/** Returns an accepted answer. StatusCode 0 means success, another number a clear refusal; others are unclear. */
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
  const usual = isClear
    ? 'The provider refused.'
    : "The provider's answer has an invalid StatusCode.";
  const message = typeof Message === 'string' && Message ? Message : usual;
  throw new ProviderError('failure', message, { answer, isClear });
}

function isZero(code: unknown): boolean {
  return code === 0 || code === 0n || code === '0';
}

/**
 * Calls the provider under a key. Each key allows a number of concurrent calls, and the others wait in a queue. A call
 * that has waited too long is not made, because its client has given up: it fails with a clear `timeout`.
 */
export type InTurn = <Result>(key: string, call: () => Promise<Result>) => Promise<Result>;

interface Line {
  readonly limit: LimitFunction;
  users: number;
}

/** Milliseconds that a call waits in the queue of its key, longer than most clients wait. */
const maxWait = 25_000;

/** Allows `most` concurrent calls per key. Unused keys take no memory. */
export function createInTurn(most: number, clock: Clock): InTurn {
  const lines = new Map<string, Line>();
  return async function inTurn(key, call) {
    const line = lines.get(key) ?? { limit: pLimit(most), users: 0 };
    lines.set(key, line);
    line.users += 1;
    const since = clock.monotonic();
    try {
      return await line.limit(() => {
        if (clock.monotonic() - since <= maxWait) return call();
        const crowded = 'Too many calls to the provider were waiting.';
        throw new ProviderError('timeout', crowded, { isClear: true });
      });
    } finally {
      line.users -= 1;
      if (line.users === 0) lines.delete(key);
    }
  };
}
