import type { Clock } from '../../base/clock.js';
import { createDeadlines, type Deadlines } from '../../base/deadlines.js';
import { isObject } from '../../json/pointers.js';
import { boundedAnswer, boundedError } from './answer-bounds.js';
import { isFailureKind } from './protocol.js';
import {
  everyOperation,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  providerOperations,
} from './provider.js';

type AnyMethod = (input: never, call: ProviderCall) => Promise<ProviderAnswer>;

/**
 * Makes any provider safe to call: every call ends within `timeout` milliseconds, everything thrown
 * becomes a ProviderError, and so does an answer that does not say "yes" by a StatusCode of 0, or that
 * is too long or too deep to be stored and passed on. A step of a sign-in may leave the StatusCode out.
 */
export function guardProvider(
  provider: PaymentProvider,
  { clock, timeout }: { readonly clock: Clock; readonly timeout: number },
): PaymentProvider {
  const deadlines = createDeadlines(clock, timeout);
  const guarded = (name: ProviderOperation) => async (input: never, call: ProviderCall) => {
    const method: AnyMethod = provider[name].bind(provider);
    try {
      return accepted(
        await within(deadlines, call, (bounded) => method(input, bounded)),
        providerOperations[name].session,
      );
    } catch (error) {
      throw error instanceof ProviderError ? boundedError(error) : error;
    }
  };
  return {
    ...everyOperation(guarded),
    async close() {
      deadlines.close();
      await provider.close();
    },
  };
}

/** Ends with the work, the deadline or the caller, whichever comes first; the work's signal aborts then. */
function within(
  deadlines: Deadlines,
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
    const cancel = deadlines.start(() =>
      end(new ProviderError('timeout', 'The provider did not answer in time.')),
    );
    const settle = () => {
      cancel();
      call.signal.removeEventListener('abort', giveUp);
    };
    if (call.signal.aborted) return giveUp();
    call.signal.addEventListener('abort', giveUp, { once: true });
    const answer = Promise.resolve().then(() => work({ ...call, signal: controller.signal }));
    answer.then(resolve, (error) => reject(toProviderError(error))).finally(settle);
  });
}

/** A module of one's own throws plain errors that carry `kind` (and `answer`) as fields. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { kind, message, answer } = (error ?? {}) as Partial<Record<string, unknown>>;
  if (isFailureKind(kind)) {
    const said = isObject(answer) ? answer : undefined;
    return new ProviderError(kind, String(message), { answer: said, cause: error });
  }
  return new ProviderError('failure', 'The provider failed.', { cause: error });
}

function accepted(answer: unknown, isEnvelope: boolean): ProviderAnswer {
  if (!isObject(answer)) {
    throw new ProviderError('failure', 'The provider answered with something that is no object.');
  }
  const { StatusCode, Message } = answer;
  if (StatusCode === 0 || (StatusCode === undefined && !isEnvelope)) return boundedAnswer(answer);
  if (StatusCode === undefined) {
    throw new ProviderError('failure', "The provider's answer lacks a StatusCode.", { answer });
  }
  const message = typeof Message === 'string' && Message ? Message : 'The provider refused.';
  throw new ProviderError('failure', message, { answer });
}
