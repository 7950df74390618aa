import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { longestAnswer } from './answer-bounds.js';

/** Sends JSON texts to an upstream and gives back what it answers, whatever it is. */
export interface Transport {
  post(
    path: string,
    body: string,
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** Closes the kept connections. */
  close(): void;
}

export interface TransportOptions {
  /** Paths are put behind it as they are. */
  readonly base: string;
  /** Milliseconds without a sign of life. */
  readonly timeout: number;
  readonly connections: number;
}

/** The connection broke before an answer was complete. */
export class ConnectionFailure extends Error {}

/** Nothing came for too long. */
export class TimeoutFailure extends Error {}

/** The answer goes on beyond what is read. */
export class EndlessAnswer extends Error {}

/**
 * node:http with kept connections: a poll costs a fifth of the processor time that it costs through
 * fetch and a client on top of it, and polls are what a gateway with many open payments does.
 * Redirects are not followed.
 */
export function createTransport({ base, timeout, connections }: TransportOptions): Transport {
  const { request, Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  return {
    post(path, body, headers, signal) {
      return new Promise((resolve, reject) => {
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
        const give = () => outgoing.destroy(new ConnectionFailure('The call was given up.'));
        const settle = () => signal.removeEventListener('abort', give);
        outgoing.once('timeout', () => outgoing.destroy(new TimeoutFailure('Nothing came.')));
        outgoing.once('error', (cause) => {
          settle();
          reject(asFailure(cause));
        });
        outgoing.once('response', (incoming) => {
          readText(incoming)
            .then((text) => resolve({ status: incoming.statusCode ?? 0, text }))
            .catch((cause) => reject(asFailure(cause)))
            .finally(settle);
        });
        if (signal.aborted) give();
        else signal.addEventListener('abort', give, { once: true });
        outgoing.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

function readText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > longestAnswer) incoming.destroy(new EndlessAnswer('Too long.'));
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.complete) reject(new ConnectionFailure('The answer was cut off.'));
    });
  });
}

function asFailure(cause: unknown): Error {
  const known = [TimeoutFailure, ConnectionFailure, EndlessAnswer];
  if (cause instanceof Error && known.some((kind) => cause instanceof kind)) return cause;
  return new ConnectionFailure('The connection to the provider broke.', { cause });
}
