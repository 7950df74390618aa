import type { Clock } from '../../clock.js';
import {
  operationNames,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  type ProviderOperations,
} from '../provider.js';
import { isFailureKind, isObject } from './protocol.js';

type AnyMethod = (input: never, call: ProviderCall) => Promise<ProviderAnswer>;

/**
 * Makes any provider safe to call: every call ends within `timeout` milliseconds, everything thrown
 * becomes a ProviderError, and an answer that says "no" by a StatusCode other than 0 is one too.
 */
export function guardProvider(
  provider: PaymentProvider,
  { clock, timeout }: { readonly clock: Clock; readonly timeout: number },
): PaymentProvider {
  const guarded = (name: ProviderOperation) => async (input: never, call: ProviderCall) => {
    const method: AnyMethod = provider[name].bind(provider);
    return accepted(
      await within(clock, timeout, call, (signal) => method(input, { ...call, signal })),
    );
  };
  return {
    ...(Object.fromEntries(
      operationNames.map((name) => [name, guarded(name)]),
    ) as unknown as ProviderOperations), // fromEntries forgets the names, which are all of the port's.
    close: () => provider.close(),
  };
}

async function within(
  clock: Clock,
  timeout: number,
  call: ProviderCall,
  work: (signal: AbortSignal) => Promise<ProviderAnswer>,
): Promise<ProviderAnswer> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  call.signal.addEventListener('abort', abort, { once: true });
  if (call.signal.aborted) abort();
  const expiry = clock.sleep(timeout, controller.signal).then((): never => {
    if (call.signal.aborted) throw new ProviderError('failure', 'The call was given up.');
    throw new ProviderError('timeout', 'The provider did not answer in time.');
  });
  try {
    return await Promise.race([work(controller.signal), expiry]);
  } catch (error) {
    throw toProviderError(error);
  } finally {
    call.signal.removeEventListener('abort', abort);
    expiry.catch(() => {}); // The race is over; waking the sleeper makes it reject unheard.
    controller.abort();
  }
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

function accepted(answer: unknown): ProviderAnswer {
  if (!isObject(answer)) {
    throw new ProviderError('failure', 'The provider answered with something that is no object.');
  }
  const { StatusCode, Message } = answer;
  if (StatusCode === undefined || StatusCode === 0) return answer;
  const message = typeof Message === 'string' && Message ? Message : 'The provider refused.';
  throw new ProviderError('failure', message, { answer });
}
