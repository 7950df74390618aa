import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { trimEndOf } from '../../base/trim-end.js';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import { isObject } from '../../json/pointers.js';
import {
  failureOf,
  maxAnswerLength,
  protocolHeaders,
  protocolRoot,
  sessionHeaders,
} from './protocol.js';
import {
  everyOperation,
  maxLateness,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  type ProviderSession,
  providerOperations,
} from './provider.js';

export interface HttpProviderOptions {
  /** The provider's address, such as `https://bank.example/api`. */
  readonly baseUrl: string;
  /** Time limit of one attempt, in milliseconds. A call that moves money has an additional `maxLateness`. */
  readonly timeout: number;
  /** Maximum number of concurrent calls. Further calls wait. */
  readonly concurrency: number;
  readonly clock: Clock;
}

interface Input {
  readonly session?: ProviderSession;
  readonly [name: string]: unknown;
}

/**
 * Creates a provider that uses the documented protocol. After a broken connection, it retries a read once, and a money
 * request once under its key if the call allows it. It keeps connections alive for reads. Each money request uses a new
 * connection, because an idle one may already be closed, which would leave the outcome in doubt.
 */
export function createHttpProvider(options: HttpProviderOptions): PaymentProvider {
  const { baseUrl, timeout, concurrency, clock } = options;
  const limit = pLimit(concurrency);
  const transport = createTransport({
    base: `${trimEndOf(baseUrl, '/')}/${protocolRoot}/`,
    // An unreachable provider is detected within half of the call's time limit.
    connectTimeout: timeout / 2,
    connections: concurrency,
    hint: `Its address is ${new URL(baseUrl).origin}. Check --provider, or try again when the provider is available.`,
  });

  async function ask(
    name: ProviderOperation,
    { session, ...input }: Input,
    { signal, idempotencyKey, mayRepeat }: ProviderCall,
  ): Promise<ProviderAnswer> {
    const { effect, path } = providerOperations[name];
    const isMoney = effect === 'money';
    const repeatable = effect === 'read' || (isMoney && mayRepeat && idempotencyKey);
    const headers = {
      ...(session ? sessionHeaders(session) : {}),
      ...(idempotencyKey ? { [protocolHeaders.idempotencyKey]: idempotencyKey } : {}),
    };
    const patience = isMoney ? timeout + maxLateness : timeout;
    const request = { path, body: stringifyExact(input), headers, signal, timeout: patience };
    const attempt = async (isFresh: boolean) =>
      answerOf(await transport.post({ ...request, isFresh }));
    try {
      return await attempt(isMoney);
    } catch (error) {
      const isBroken = error instanceof BrokenConnection && !signal.aborted;
      if (!isBroken || !repeatable) throw error;
      return attempt(true).catch((second: unknown) => {
        throw error.isClear ? second : asUnclear(second);
      });
    }
  }

  // A slot is taken for the whole call, including its retry. A call that waited longer than its timeout is not made,
  // because its client has given up.
  const method = (name: ProviderOperation) => (input: Input, call: ProviderCall) => {
    const since = clock.monotonic();
    return limit(() => {
      if (clock.monotonic() - since < timeout) return ask(name, input, call);
      const message = 'Too many calls to the provider were waiting.';
      throw new ProviderError('timeout', message, { isClear: true });
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

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

function answerOf({ status, text }: HttpAnswer): ProviderAnswer {
  const answer = parse(text);
  if (status !== 200) throw failureOf(status, answer);
  if (isObject(answer)) return answer;
  throw new ProviderError('failure', "The provider's answer is not a JSON object.");
}

/** Marks the failure of a second attempt as unclear, because the first attempt may have reached the provider. */
function asUnclear(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { kind, message, hint, details } = error;
  const text = `The connection to the provider was lost during the first attempt. The second attempt failed: ${message}`;
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

interface TransportOptions {
  /** Paths are appended to it. */
  readonly base: string;
  /** Time limit for connecting, in milliseconds. */
  readonly connectTimeout: number;
  readonly connections: number;
  /** The hint for an unreachable provider. */
  readonly hint: string;
}

interface Post {
  readonly path: string;
  readonly body: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  /** Maximum time without any data, in milliseconds. */
  readonly timeout: number;
  /** True to use a new connection, because the provider may have closed an idle one. */
  readonly isFresh: boolean;
}

/**
 * Thrown if the connection broke before the response was complete. Clear if there was no connection yet, so that
 * nothing was sent.
 */
class BrokenConnection extends ProviderError {}

/**
 * Sends JSON to the provider and returns the response. Fails with a ProviderError, which is a BrokenConnection if the
 * connection broke. Does not follow redirects.
 *
 * For a poll, node:http with persistent connections uses a fifth of the processor time of fetch. A gateway with many
 * open payments mostly polls.
 */
function createTransport(options: TransportOptions) {
  const { base, connectTimeout, connections, hint } = options;
  const isSecure = base.startsWith('https:');
  const { request, Agent } = isSecure ? https : http;
  const kept = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  const fresh = new Agent({ keepAlive: false, maxSockets: connections });
  return {
    post({ path, body, headers, signal, timeout, isFresh }: Post) {
      return new Promise<HttpAnswer>((resolve, reject) => {
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
          const message = isSent
            ? 'The connection to the provider was lost before it responded.'
            : 'The provider cannot be reached.';
          const isNamed = cause instanceof ProviderError;
          const isClear = !isSent;
          reject(
            isNamed ? cause : new BrokenConnection('failure', message, { hint, cause, isClear }),
          );
        };
        const giveUp = () => outgoing.destroy(new Error('The call was aborted.'));
        const settle = () => signal.removeEventListener('abort', giveUp);
        const send = () => {
          isSent = true;
          outgoing.setTimeout(timeout);
          outgoing.end(body);
        };
        // Nothing is sent before the connection exists, so an earlier failure is clear.
        outgoing.once('socket', (socket) => {
          if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', send);
          else send();
        });
        outgoing.once('timeout', () => {
          const late = 'The provider did not respond in time.';
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
      if (bytes <= maxAnswerLength) chunks.push(chunk);
      else incoming.destroy(new ProviderError('failure', "The provider's answer is too long."));
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.complete) reject(new Error('The response was cut off.'));
    });
  });
}
