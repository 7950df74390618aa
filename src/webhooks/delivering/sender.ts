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

/** Number of bytes of a receiver's response after which the connection is closed. */
const readLimit = 64 * 1024;
/** Maximum number of bytes of a receiver's response that are stored. @bound */
const keptBytes = 1024;

/** The result of a request, as an attempt records it, and the receiver's `Retry-After`. */
export interface SendResult extends Pick<Attempt, 'durationMs' | 'status' | 'error' | 'response'> {
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

export type Sender = ReturnType<typeof createWebhookSender>;

export interface SenderOptions {
  readonly clock: Clock;
  /** Maximum time for the whole request, until the last byte of the response, in milliseconds. */
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  readonly resolve?: ResolveName;
}

/** The function that aborts a request, and the reason if it was aborted. */
interface Cut {
  reason: 'late' | 'interrupted' | null;
  destroy(): void;
}

/**
 * Returns a sender that uses keep-alive connections and checks the address of every new connection. Each call makes one
 * request. A request is repeated on a new connection only if it is certain that none of its bytes were written.
 */
export function createWebhookSender(options: SenderOptions) {
  const { clock, timeoutMs, privateAddresses } = options;
  const lookup = createGuardedLookup(privateAddresses, options.resolve);
  const kept = createKeptConnections(clock);

  /** Makes a request. Without `reuse`, it uses a new connection, which no idle time-out can have closed. */
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
        // After the response has begun, `readAnswer` reports errors.
        if (answered) return;
        fail(isUnwritten() ? new ClosedWhileIdle(error) : error);
      });
      outgoing.end(body);
    });
  }

  async function exchangeOnce(request: WebhookRequest, cut: Cut): Promise<Answer> {
    if (!request.mayReuse) return exchange(request, cut, false);
    // Lets the event loop detect connections that receivers have closed.
    await new Promise(setImmediate);
    try {
      return await exchange(request, cut, true);
    } catch (error) {
      // The receiver had closed the idle connection and has received nothing of this request.
      if (!(error instanceof ClosedWhileIdle) || cut.reason !== null) throw error;
      return exchange(request, cut, false);
    }
  }

  return {
    /** Makes one request. Returns null if `signal` interrupted it, which is not an attempt. */
    async send(request: WebhookRequest, signal: AbortSignal): Promise<SendResult | null> {
      if (signal.aborted) return null;
      const startedAt = clock.monotonic();
      const cut: Cut = { reason: null, destroy: () => {} };
      const abort = (reason: Cut['reason']) => {
        cut.reason ??= reason;
        cut.destroy();
      };
      const endTime = startDeadline(clock, timeoutMs, () => abort('late'));
      const interrupt = () => abort('interrupted');
      // One signal may interrupt any number of requests; Node.js would warn about more than ten listeners.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', interrupt, { once: true });
      try {
        const answer = await exchangeOnce(request, cut).catch(withoutAnswer);
        const { status, failure, response, retryAfter } = answer;
        if (failure !== null && cut.reason === 'interrupted') return null;
        const durationMs = Math.round(clock.monotonic() - startedAt);
        const isLate = failure !== null && cut.reason === 'late';
        const late = `no complete response within ${timeoutMs / 1000} s`;
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
 * Watches the writing of a request. The returned function returns true if it is certain that none of its bytes were
 * written. For a new connection, it always returns false, because a failed request is then not repeated.
 */
function watchWriting(outgoing: ClientRequest, secure: boolean): () => boolean {
  let isUnwritten = () => false;
  outgoing.once('socket', (socket) => {
    if (!outgoing.reusedSocket) return;
    const before = socket.bytesWritten;
    let isRefused = false;
    // The whole request is passed to the socket right after this event. If the socket has an error directly after that
    // step, the system rejected the write and accepted no byte. TLS writes later.
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

/** Reads a response up to the limit and returns its start. Closes the connection at the limit. */
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
  EAI_AGAIN: 'the name temporarily does not resolve',
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

/** The response of a receiver, or the failure. */
interface Answer {
  readonly status: number | null;
  /** A description of a network failure or time-out; null if the complete response arrived. */
  readonly failure: string | null;
  /** The start of the response body; null if there was no response. */
  readonly response: string | null;
  /** The header `Retry-After`, if there is one. */
  readonly retryAfter?: string | undefined;
}

/** The status of a receiver that no longer exists. */
export const goneStatus = 410;

/**
 * Returns the reason why an attempt failed, or null if the receiver accepted the webhook. Only a complete 2xx response
 * in time is a success. A redirect is a failure, because following it would send a signed event to an address that is
 * not configured.
 */
export function errorOf({ status, failure }: Pick<Answer, 'status' | 'failure'>): string | null {
  if (failure !== null) return failure;
  if (status === null) return 'no response';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`;
  return `HTTP ${status}`;
}
