import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { longestAnswer } from './answer-bounds.js';
import { ProviderError } from './provider.js';

export type Transport = ReturnType<typeof createTransport>;

export interface TransportOptions {
  /** Paths are put behind it as they are. */
  readonly base: string;
  /** Milliseconds without a sign of life. */
  readonly timeout: number;
  readonly connections: number;
  /** What to do where the upstream cannot be reached. */
  readonly hint: string;
}

/** The connection broke before an answer was complete. */
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
  const { base, timeout, connections, hint } = options;
  const { request, Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  return {
    post(path: string, body: string, headers: OutgoingHttpHeaders, signal: AbortSignal) {
      return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const outgoing = request(`${base}${path}`, {
          method: 'POST',
          agent,
          timeout,
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        });
        const fail = (cause: unknown) => {
          const broke = 'The provider cannot be reached.';
          const isNamed = cause instanceof ProviderError;
          reject(isNamed ? cause : new ConnectionFailure('failure', broke, { hint, cause }));
        };
        const giveUp = () => outgoing.destroy(new Error('The call was given up.'));
        const settle = () => signal.removeEventListener('abort', giveUp);
        outgoing.once('timeout', () => {
          const late = 'The provider did not answer in time.';
          outgoing.destroy(new ProviderError('timeout', late, { hint }));
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
        outgoing.end(body);
      });
    },
    /** Closes the kept connections. */
    close: () => agent.destroy(),
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
