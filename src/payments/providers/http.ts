import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { trimEndOf } from '../../base/trim-end.js';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import { isObject } from '../../json/pointers.js';
import {
  failureOf,
  longestAnswer,
  protocolHeaders,
  protocolRoot,
  sessionHeaders,
} from './protocol.js';
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
      const isBroken = error instanceof BrokenConnection && !call.signal.aborted;
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

type Transport = ReturnType<typeof createTransport>;

interface TransportOptions {
  /** Paths are put behind it as they are. */
  readonly base: string;
  /** Milliseconds until a connection is made. */
  readonly connectTimeout: number;
  readonly connections: number;
  /** What to do where the upstream cannot be reached. */
  readonly hint: string;
}

/** One request. */
interface Post {
  readonly path: string;
  readonly body: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life. */
  readonly timeout: number;
  /** On a connection of its own: a kept one may have been closed by the other side meanwhile. */
  readonly isFresh: boolean;
}

/**
 * The connection broke before an answer was complete. It is clear where there was none yet: nothing of
 * the request is sent before.
 */
class BrokenConnection extends ProviderError {}

/**
 * Sends JSON texts to an upstream and gives back what it answers, whatever it is. Fails with a
 * ProviderError, which is a BrokenConnection where the connection broke.
 *
 * node:http with kept connections: a poll costs a fifth of the processor time that it costs through
 * fetch and a client on top of it, and polls are what a gateway with many open payments does.
 * Redirects are not followed.
 */
function createTransport(options: TransportOptions) {
  const { base, connectTimeout, connections, hint } = options;
  const isSecure = base.startsWith('https:');
  const { request, Agent } = isSecure ? https : http;
  const kept = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  const fresh = new Agent({ keepAlive: false, maxSockets: connections });
  return {
    post({ path, body, headers, signal, timeout, isFresh }: Post) {
      return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        let isSent = false;
        const outgoing = request(`${base}${path}`, {
          method: 'POST',
          agent: isFresh ? fresh : kept,
          timeout: connectTimeout,
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        });
        const fail = (cause: unknown) => {
          const broke = isSent
            ? 'The connection to the provider broke before it answered.'
            : 'The provider cannot be reached.';
          const isNamed = cause instanceof ProviderError;
          const isClear = !isSent;
          reject(
            isNamed ? cause : new BrokenConnection('failure', broke, { hint, cause, isClear }),
          );
        };
        const giveUp = () => outgoing.destroy(new Error('The call was given up.'));
        const settle = () => signal.removeEventListener('abort', giveUp);
        const send = () => {
          isSent = true;
          outgoing.setTimeout(timeout);
          outgoing.end(body);
        };
        // Not a byte leaves before there is a connection: what fails until then has done nothing.
        outgoing.once('socket', (socket) => {
          if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', send);
          else send();
        });
        outgoing.once('timeout', () => {
          const late = 'The provider did not answer in time.';
          outgoing.destroy(new ProviderError('timeout', late, { hint, isClear: !isSent }));
        });
        outgoing.once('error', (cause) => {
          settle();
          fail(cause);
        });
        outgoing.once('response', (incoming) => {
          readText(incoming)
            .then((text) => resolve({ status: incoming.statusCode ?? 0, text }), fail)
            .finally(settle);
        });
        if (signal.aborted) giveUp();
        else signal.addEventListener('abort', giveUp, { once: true });
      });
    },
    /** Closes the connections. */
    close() {
      kept.destroy();
      fresh.destroy();
    },
  };
}

function readText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= longestAnswer) chunks.push(chunk);
      else incoming.destroy(new ProviderError('failure', "The provider's answer is too long."));
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.complete) reject(new Error('The answer was cut off.'));
    });
  });
}
