import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import {
  createRemoteClient,
  type RemoteClientOptions,
} from '../../../src/payments/client/remote-client.js';

/** A request that the gateway has received. */
export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedGateway {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  close(): void;
}

type Answer = (request: SeenRequest, response: ServerResponse) => void;

/** Starts a local gateway with scripted responses. If a certificate is passed, the gateway uses HTTPS. */
export async function startScriptedGateway(
  answer: Answer,
  certificate?: Pick<ServerOptions, 'cert' | 'key'>,
): Promise<ScriptedGateway> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      const read = { line: `${method} ${url}`, headers, body };
      seen.push(read);
      answer(read, response);
    });
  };
  const server = certificate ? createSecureServer(certificate, handle) : createServer(handle);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A TCP server has a port.
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    seen,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends a JSON response. A string is sent unchanged. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const session = { tokenSN: 'token', vtokenSecret: 'secret' };

/** Creates a client of the gateway at an address. It uses the system clock by default. */
export function clientOf(address: string, more: Partial<RemoteClientOptions> = {}) {
  const { signal } = new AbortController();
  return createRemoteClient({ address, clock: systemClock, signal, ...more });
}

/** A payment as returned by a gateway. */
export const row = {
  paymentId: '1001',
  type: 'qr',
  organizationId: 17,
  state: 'open',
  outcome: null,
  status: 'QrTokenCreated',
  statusDesc: '',
  flippedTo: null,
  amount: 1500,
  qrToken: 'https://bank.example/1001',
  receiptUrl: null,
  orderNumber: null,
  clientPhone: null,
  reference: null,
  createdAt: '2026-11-21T02:00:00.000Z',
  expiresAt: '2026-11-21T02:05:00.000Z',
  endedAt: null,
  cursor: '1795226400000-17-qr-1001',
} as const;

/** Returns the error with which a promise rejects. */
export async function failureOf(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('It did not fail.');
  return outcome as Error & Record<string, unknown>; // Tests read the properties by name.
}

/** Starts a scripted gateway that is closed when the test ends. */
export async function openScriptedGateway(
  answer: Parameters<typeof startScriptedGateway>[0],
): Promise<ScriptedGateway> {
  const gateway = await startScriptedGateway(answer);
  onTestFinished(() => gateway.close());
  return gateway;
}
