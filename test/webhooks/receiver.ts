import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly path: string;
}

/** Handles the nth request of a receiver, counted from 1. */
export type Behaviour = (
  response: ServerResponse,
  number: number,
  request: IncomingMessage,
) => void | Promise<void>;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** The received requests, in order. */
  readonly received: Received[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Starts an HTTP server on a free loopback port that records its requests. */
export async function startReceiver(first: Behaviour = answer(200), port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour = first;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    received.push({ headers: request.headers, body, path: request.url ?? '' });
    await behaviour(response, received.length, request);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  async function close(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    behave(next) {
      behaviour = next;
    },
    close,
  };
}
