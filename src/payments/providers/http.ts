import pLimit from 'p-limit';
import { trimEndOf } from '../../base/trim-end.js';
import { isObject } from '../../json/pointers.js';
import { failureOf, protocolHeaders, protocolRoot, sessionHeaders } from './protocol.js';
import {
  everyOperation,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  type ProviderSession,
  providerOperations,
} from './provider.js';
import { ConnectionFailure, createTransport, type Transport } from './transport.js';

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
    hint: `It is asked at ${new URL(baseUrl).origin}: see to --provider, or try again when it is up.`,
  });

  async function ask(name: ProviderOperation, input: Input, call: ProviderCall) {
    const { effect } = providerOperations[name];
    const repeatable = effect === 'read' || (effect === 'money' && call.idempotencyKey);
    try {
      return await attempt(transport, name, input, call);
    } catch (error) {
      const isBroken = error instanceof ConnectionFailure && !call.signal.aborted;
      if (!isBroken || !repeatable) throw error;
      return attempt(transport, name, input, call);
    }
  }

  // A slot is taken for the whole call, its repetition included.
  const method = (name: ProviderOperation) => (input: Input, call: ProviderCall) =>
    limit(() => ask(name, input, call));
  return {
    ...everyOperation(method),
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
