import { setMaxListeners } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { urlToHttpOptions } from 'node:url';
import type { Clock } from '../../base/clock.js';
import { startDeadline } from '../../base/deadlines.js';
import { AppError, systemErrorCode } from '../../base/errors.js';
import type { Attempt } from '../../events/delivery.js';
import type { PrivateAddresses } from './guarded-lookup.js';
import { createGuardedLookup, type ResolveName, refuseLiteral } from './guarded-lookup.js';
import { createKeptConnections } from './kept-connections.js';
import type { WebhookRequest } from './request.js';

/** Bytes of a receiver's response that are read before the connection is closed. */
const readLimit = 64 * 1024;
/** Bytes of a receiver's response that are kept. @bound */
const keptBytes = 1024;

/** What came of a request, as an attempt records it, and how long the receiver asks to be left alone. */
export interface SendResult extends Pick<Attempt, 'durationMs' | 'status' | 'error' | 'response'> {
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

export type Sender = ReturnType<typeof createWebhookSender>;

export interface SenderOptions {
  readonly clock: Clock;
  /** For the whole request, from the first byte of it to the last of the answer. */
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  readonly resolve?: ResolveName;
}

/** Why a request was broken off, if it was, and how to do that. */
interface Cut {
  reason: 'late' | 'interrupted' | null;
  destroy(): void;
}

/**
 * Sends webhooks over keep-alive connections; every new connection passes the address guard. One call is one
 * request that the receiver may see: only one of which no byte was written is made again, on a new connection.
 */
export function createWebhookSender(options: SenderOptions) {
  const { clock, timeoutMs, privateAddresses } = options;
  const lookup = createGuardedLookup(privateAddresses, options.resolve);

  const kept = createKeptConnections(clock);

  /** `reuse` false: over a new connection, which no idle time-out of the receiver can have closed. */
  async function exchange(request: WebhookRequest, cut: Cut, reuse: boolean): Promise<Answer> {
    const { url: address, headers, body } = request;
    const url = new URL(address);
    refuseLiteral(url.hostname, privateAddresses);
    const secure = url.protocol === 'https:';
    const agent = reuse && (secure ? kept.https : kept.http);
    const make = secure ? httpsRequest : httpRequest;
    const outgoing = make({ ...urlToHttpOptions(url), method: 'POST', headers, agent, lookup });
    cut.destroy = () => void outgoing.destroy();
    const isUnwritten = watchWriting(outgoing, secure);
    return new Promise((done, fail) => {
      let answered = false;
      outgoing.on('response', (incoming) => {
        answered = true;
        kept.note(incoming);
        void readAnswer(incoming).then(done);
      });
      outgoing.on('error', (error) => {
        // Once the answer has begun, reading it reports what goes wrong.
        if (answered) return;
        fail(isUnwritten() ? new ClosedWhileIdle(error) : error);
      });
      outgoing.end(body);
    });
  }

  async function exchangeOnce(request: WebhookRequest, cut: Cut): Promise<Answer> {
    if (!request.mayReuse) return exchange(request, cut, false);
    // What receivers have closed meanwhile, and is known to this machine, is noticed before it is used.
    await new Promise(setImmediate);
    try {
      return await exchange(request, cut, true);
    } catch (error) {
      // The receiver had closed the idle connection and has seen nothing of this request.
      if (!(error instanceof ClosedWhileIdle) || cut.reason !== null) throw error;
      return exchange(request, cut, false);
    }
  }

  return {
    /** Makes one request to its end. Null: `signal` cut it off, and it is as if it was never made. */
    async send(request: WebhookRequest, signal: AbortSignal): Promise<SendResult | null> {
      if (signal.aborted) return null;
      const startedAt = clock.monotonic();
      const cut: Cut = { reason: null, destroy: () => {} };
      const breakOff = (reason: Cut['reason']) => {
        cut.reason ??= reason;
        cut.destroy();
      };
      const endTime = startDeadline(clock, timeoutMs, () => breakOff('late'));
      const interrupt = () => breakOff('interrupted');
      // One signal may cut off any number of requests; Node.js would warn of more than ten.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', interrupt, { once: true });
      try {
        const answer = await exchangeOnce(request, cut).catch(withoutAnswer);
        const { status, failure, response, retryAfter } = answer;
        if (failure !== null && cut.reason === 'interrupted') return null;
        const durationMs = Math.round(clock.monotonic() - startedAt);
        const isLate = failure !== null && cut.reason === 'late';
        const late = `no whole answer within ${timeoutMs / 1000} s`;
        return {
          durationMs,
          status,
          error: isLate ? late : errorOf({ status, failure }),
          response,
          retryAfter,
        };
      } finally {
        endTime();
        signal.removeEventListener('abort', interrupt);
      }
    },
    /** Closes idle connections. */
    close: kept.close,
  };
}

function withoutAnswer(error: unknown): Answer {
  return { status: null, failure: inWords(error), response: null };
}

/**
 * Follows what is written of a request; the function given back says whether it is certain that not one byte
 * of it was. A new connection is not asked about: what fails there has failed.
 */
function watchWriting(outgoing: ClientRequest, secure: boolean): () => boolean {
  let isUnwritten = () => false;
  outgoing.once('socket', (socket) => {
    if (!outgoing.reusedSocket) return;
    const before = socket.bytesWritten;
    let isRefused = false;
    // The request is handed to the socket as a whole right after this event. What is broken after that very
    // step, before anything else happens, is what the system has refused: then it took no byte. TLS is
    // written later.
    process.nextTick(() => {
      isRefused = !secure && socket.errored !== null;
    });
    isUnwritten = () => isRefused || socket.bytesWritten === before;
  });
  return () => isUnwritten();
}

class ClosedWhileIdle extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Reads up to the limit and keeps the start; past the limit the connection is dropped. */
async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const decoder = new StringDecoder('utf8');
  const status = answer.statusCode ?? null;
  const retryAfter = answer.headers['retry-after'];
  let read = 0;
  let response = '';
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (read < keptBytes) response += decoder.write(chunk.subarray(0, keptBytes - read));
      read += chunk.length;
      // Leaving the loop destroys the stream and with it the connection.
      if (read >= readLimit) break;
    }
    return { status, failure: null, response, retryAfter };
  } catch (error) {
    return { status, failure: inWords(error), response, retryAfter };
  }
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve at present',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'the connection timed out',
  EPROTO: 'the TLS handshake failed',
};

function inWords(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const code = systemErrorCode(error);
  const known = code && words[code];
  if (known) return known;
  const message = error instanceof Error ? error.message : String(error);
  return code && !message.includes(code) ? `${code}: ${message}` : message;
}

/** What came back from a receiver, or why nothing did. */
interface Answer {
  readonly status: number | null;
  /** A network failure or time-out, in words; null where the whole answer arrived. */
  readonly failure: string | null;
  /** The start of the response body; null where there was no answer. */
  readonly response: string | null;
  /** The header `Retry-After`, where there is one. */
  readonly retryAfter?: string | undefined;
}

/** The status by which a receiver says that it wants no more, ever. */
export const goneStatus = 410;

/**
 * Why an attempt counts as failed, or null where the receiver took the webhook: only a whole 2xx answer
 * in time is a success. A redirect is a failure, because following it would send a signed payment
 * event to an address nobody configured.
 */
export function errorOf({ status, failure }: Pick<Answer, 'status' | 'failure'>): string | null {
  if (failure !== null) return failure;
  if (status === null) return 'no answer';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`;
  return `HTTP ${status}`;
}
