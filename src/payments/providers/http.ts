import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { trimEndOf } from '../../base/trim-end.js';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import { isObject } from '../../json/pointers.js';
import { failureOf, protocolHeaders, protocolRoot, sessionHeaders } from './protocol.js';
import {
  everyOperation,
  longestLateness,
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
  /** Milliseconds for one attempt; what moves money has `longestLateness` more. */
  readonly timeout: number;
  /** How many calls are under way at once; further ones wait. */
  readonly concurrency: number;
  readonly clock: Clock;
}

interface Input {
  readonly session?: ProviderSession;
  readonly [name: string]: unknown;
}

/**
 * A provider behind the documented protocol. What breaks on the way is tried once more where that is
 * harmless: reads, and money under its key where the call says so. Connections are kept alive, but money
 * goes out on new ones: one that the provider has closed meanwhile would leave it in doubt.
 */
export function createHttpProvider(options: HttpProviderOptions): PaymentProvider {
  const { baseUrl, timeout, concurrency, clock } = options;
  const limit = pLimit(concurrency);
  const transport = createTransport({
    base: `${trimEndOf(baseUrl, '/')}/${protocolRoot}/`,
    // The other half is left for the answer: an upstream that is gone is noticed before the call's time is up.
    connectTimeout: timeout / 2,
    connections: concurrency,
    hint: `It is asked at ${new URL(baseUrl).origin}: see to --provider, or try again when it is up.`,
  });

  async function ask(name: ProviderOperation, input: Input, call: ProviderCall) {
    const { effect } = providerOperations[name];
    const isMoney = effect === 'money';
    const repeatable = effect === 'read' || (isMoney && call.mayRepeat && call.idempotencyKey);
    const patience = isMoney ? timeout + longestLateness : timeout;
    const attempt = (isFresh: boolean) => post(transport, { name, input, call, patience, isFresh });
    try {
      return await attempt(isMoney);
    } catch (error) {
      const isBroken = error instanceof ConnectionFailure && !call.signal.aborted;
      if (!isBroken || !repeatable) throw error;
      return attempt(true).catch((second: unknown) => {
        throw error.isClear ? second : asUnclear(second);
      });
    }
  }

  // A slot is taken for the whole call, its repetition included. Nobody waits for a call whose time
  // was up before it had one, and money is not moved so late.
  const method = (name: ProviderOperation) => (input: Input, call: ProviderCall) => {
    const since = clock.monotonic();
    return limit(() => {
      if (clock.monotonic() - since < timeout) return ask(name, input, call);
      const crowded = 'Too many calls to the provider were waiting.';
      throw new ProviderError('timeout', crowded, { isClear: true });
    });
  };
  return {
    ...everyOperation(method),
    async close() {
      limit.clearQueue();
      transport.close();
    },
  };
}

interface Attempt {
  readonly name: ProviderOperation;
  readonly input: Input;
  readonly call: ProviderCall;
  /** Milliseconds without a sign of life. */
  readonly patience: number;
  readonly isFresh: boolean;
}

async function post(
  transport: Transport,
  { name, input: { session, ...input }, call, patience: timeout, isFresh }: Attempt,
): Promise<ProviderAnswer> {
  const { signal, idempotencyKey } = call;
  const headers = {
    ...(session ? sessionHeaders(session) : {}),
    ...(idempotencyKey ? { [protocolHeaders.idempotencyKey]: idempotencyKey } : {}),
  };
  const { path } = providerOperations[name];
  const body = stringifyExact(input);
  const request = { path, body, headers, signal, timeout, isFresh };
  const { status, text } = await transport.post(request);
  const answer = parse(text);
  if (status !== 200) throw failureOf(status, answer);
  if (isObject(answer)) return answer;
  throw new ProviderError('failure', "The provider's answer is not a JSON object.");
}

/** A refusal of the second attempt says nothing about the first one, which may have reached the provider. */
function asUnclear(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { kind, message, hint, details } = error;
  const text = `The connection to the provider broke during the first attempt. The second attempt failed: ${message}`;
  return new ProviderError(kind, text, {
    answer: details as ProviderAnswer, // A ProviderError's details are an answer.
    ...(hint === undefined ? {} : { hint }),
    cause: error,
    isClear: false,
  });
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
