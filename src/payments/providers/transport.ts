import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { longestAnswer } from './answer-bounds.js';
import { ProviderError } from './provider.js';

export type Transport = ReturnType<typeof createTransport>;

export interface TransportOptions {
  /** Paths are put behind it as they are. */
  readonly base: string;
  /** Milliseconds until a connection is made. */
  readonly connectTimeout: number;
  readonly connections: number;
  /** What to do where the upstream cannot be reached. */
  readonly hint: string;
}

/** One request. */
export interface Post {
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
export class ConnectionFailure extends ProviderError {}

/**
 * Sends JSON texts to an upstream and gives back what it answers, whatever it is. Fails with a
 * ProviderError, which is a ConnectionFailure where the connection broke.
 *
 * node:http with kept connections: a poll costs a fifth of the processor time that it costs through
 * fetch and a client on top of it, and polls are what a gateway with many open payments does.
 * Redirects are not followed.
 */
export function createTransport(options: TransportOptions) {
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
            isNamed ? cause : new ConnectionFailure('failure', broke, { hint, cause, isClear }),
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
