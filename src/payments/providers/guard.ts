import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { startDeadline } from '../../base/deadlines.js';
import { isObject } from '../../json/pointers.js';
import { boundedAnswer, boundedError, isFailureKind } from './protocol.js';
import {
  everyOperation,
  longestLateness,
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
 * Makes any provider safe to call: every call ends within `timeout` milliseconds, everything thrown
 * becomes a ProviderError, and so does an answer that does not say "yes" by a StatusCode of 0, or that
 * is too long or too deep to be stored and passed on. A step of a sign-in may leave the StatusCode out.
 *
 * A call that moves money is not aborted by its time-out: it may continue for another `longestLateness`, and the error of
 * the time-out carries its late answer. Closing ends every call.
 */
export function guardProvider(
  provider: PaymentProvider,
  { clock, timeout }: { readonly clock: Clock; readonly timeout: number },
): PaymentProvider {
  /** Ends the calls under way when the provider is closed. */
  const closing = new Set<() => void>();
  let isClosed = false;

  /** Ends with the work, the deadline or the caller, whichever comes first; the work's signal aborts then. */
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
      const giveUp = () => end(new ProviderError('failure', 'The call was given up.'));
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

  /** The answer of a call whose time is up. It rejects where nobody listens, too. */
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
      const tooLate = end('The provider did not answer late either.');
      const cancel = startDeadline(clock, longestLateness, tooLate);
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

/** A module of one's own throws plain errors that carry `kind` (and `answer`, `isClear`) as fields. */
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

/** A StatusCode of 0 is a yes, any other number a no in clear words; all else leaves it open. */
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
 * Calls the provider under a key; of one key, so many calls are under way at once, and further ones wait
 * their turn. A call that has waited too long is not made: its client has given up, and money is not
 * moved so late. It is a `timeout`, and a clear one.
 */
export type InTurn = <Result>(key: string, call: () => Promise<Result>) => Promise<Result>;

interface Line {
  readonly limit: LimitFunction;
  users: number;
}

/** Milliseconds that a call waits for its turn at the provider, longer than most clients wait. */
const longestWait = 25_000;

/** Keys that no call is made under take no memory. */
export function createInTurn(most: number, clock: Clock): InTurn {
  const lines = new Map<string, Line>();
  return async function inTurn(key, call) {
    const line = lines.get(key) ?? { limit: pLimit(most), users: 0 };
    lines.set(key, line);
    line.users += 1;
    const since = clock.monotonic();
    try {
      return await line.limit(() => {
        if (clock.monotonic() - since <= longestWait) return call();
        const crowded = 'Too many calls to the provider were waiting.';
        throw new ProviderError('timeout', crowded, { isClear: true });
      });
    } finally {
      line.users -= 1;
      if (line.users === 0) lines.delete(key);
    }
  };
}
