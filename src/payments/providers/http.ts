import pLimit from 'p-limit';
import { trimEndOf } from '../../base/trim-end.js';
import { isObject } from '../../json/pointers.js';
import { failureOf, protocolHeaders, protocolRoot, sessionHeaders } from './protocol.js';
import {
  operationNames,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  type ProviderOperations,
  type ProviderSession,
  providerOperations,
} from './provider.js';
import {
  ConnectionFailure,
  createTransport,
  EndlessAnswer,
  TimeoutFailure,
  type Transport,
} from './transport.js';

export interface HttpProviderOptions {
  /** Where the upstream is: `https://bank.example/api`. */
  readonly baseUrl: string;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** How many calls are under way at once; further ones wait. */
  readonly concurrency: number;
}

interface Input {
  readonly session?: ProviderSession;
  readonly [name: string]: unknown;
}

/** How often a call is tried again after a broken connection. */
const retries = 1;

/**
 * A provider behind the documented protocol, over connections that are kept alive. What breaks on
 * the way is tried once more where that is harmless: reads, and money under its key.
 */
export function createHttpProvider(options: HttpProviderOptions): PaymentProvider {
  const { baseUrl, timeout, concurrency } = options;
  const limit = pLimit(concurrency);
  const transport = createTransport({
    base: `${trimEndOf(baseUrl, '/')}/${protocolRoot}/`,
    timeout,
    connections: concurrency,
  });

  const hint = `It is asked at ${new URL(baseUrl).origin}: see to --provider, or try again when it is up.`;

  async function ask(name: ProviderOperation, input: Input, call: ProviderCall) {
    const { effect } = providerOperations[name];
    const repeatable = effect === 'read' || (effect === 'money' && call.idempotencyKey);
    for (let left = repeatable ? retries : 0; ; left--) {
      try {
        return await attempt(transport, name, input, call);
      } catch (error) {
        if (!(error instanceof ConnectionFailure) || left === 0 || call.signal.aborted) {
          throw toProviderError(error, hint);
        }
      }
    }
  }

  // A slot is taken for the whole call, its repetition included.
  const method = (name: ProviderOperation) => (input: Input, call: ProviderCall) =>
    limit(() => ask(name, input, call));
  return {
    ...(Object.fromEntries(
      operationNames.map((name) => [name, method(name)]),
    ) as unknown as ProviderOperations), // fromEntries forgets the names, which are all of the port's.
    async close() {
      limit.clearQueue();
      transport.close();
    },
  };
}

async function attempt(
  transport: Transport,
  name: ProviderOperation,
  { session, ...input }: Input,
  { signal, idempotencyKey }: ProviderCall,
): Promise<ProviderAnswer> {
  const headers = {
    ...(session ? sessionHeaders(session) : {}),
    ...(idempotencyKey ? { [protocolHeaders.idempotencyKey]: idempotencyKey } : {}),
  };
  const { path } = providerOperations[name];
  const { status, text } = await transport.post(path, JSON.stringify(input), headers, signal);
  const body = parse(text);
  if (status !== 200) throw failureOf(status, body);
  if (isObject(body)) return body;
  throw new ProviderError(
    'failure',
    'The provider answered with something that is no JSON object.',
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toProviderError(error: unknown, hint: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof EndlessAnswer) {
    return new ProviderError('failure', "The provider's answer is too long.", { cause: error });
  }
  if (error instanceof TimeoutFailure) {
    return new ProviderError('timeout', 'The provider did not answer in time.', {
      hint,
      cause: error,
    });
  }
  return new ProviderError('failure', 'The provider cannot be reached.', { hint, cause: error });
}
