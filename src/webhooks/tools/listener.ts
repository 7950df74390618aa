import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../base/clock.js';
import { AppError, systemErrorCode } from '../../base/errors.js';
import type { SigningKey } from '../signature.js';
import { type Verification, verifyWebhook } from './verify.js';

/** Maximum size of a webhook that `webhooks listen` reads, in bytes. */
const bodyLimit = 1024 * 1024;
/** Maximum number of connections to `webhooks listen`. msgsite opens at most 64 connections to one receiver. */
const maxConnections = 256;
/** Limits of a request to `webhooks listen`. */
const requestLimits = {
  /** Maximum time until the headers of a request to `webhooks listen` are complete, in milliseconds. */
  headersTimeout: 10_000,
  /** Maximum time until the whole request to `webhooks listen` has arrived, in milliseconds. */
  requestTimeout: 20_000,
  /** Interval between two checks of both time-outs, in milliseconds. @internal */
  connectionsCheckingInterval: 1_000,
  /** Maximum total size of the headers of a request to `webhooks listen`, in bytes. */
  maxHeaderSize: 16_384,
};

/** A received webhook and the response to it. */
export interface IncomingWebhook {
  /** Counts from 1. */
  readonly number: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null if there is no secret to verify it with. */
  readonly verification: Verification | null;
  /** The HTTP status of the response. */
  readonly answered: number;
}

export interface ListenerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Without keys, nothing is verified. */
  readonly keys: readonly SigningKey[];
  readonly clock: Clock;
  /** Returns the status for the nth webhook, counted from 1, unless the webhook is rejected. */
  statusFor(number: number): number;
  /** Delay before the response, in milliseconds. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
  onWebhook(webhook: IncomingWebhook): void;
}

export interface Listener {
  readonly url: string;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/** Starts a small receiver for testing webhooks. It verifies signatures and responds with 401 if they are wrong. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { host, port } = options;
  let number = 0;
  const server = createServer(requestLimits, (request, response) => {
    if (request.method === 'POST') number += 1;
    receive(request, number, options).then(
      ({ status, webhook }) => {
        const body = JSON.stringify({ received: status < 300 });
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
        if (webhook) options.onWebhook(webhook);
      },
      () => response.destroy(),
    );
  });
  server.maxConnections = maxConnections;
  await listen(server, host, port);
  const { port: bound, address, family } = server.address() as AddressInfo; // A TCP address is never a path.
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function receive(
  request: IncomingMessage,
  number: number,
  { keys, clock, statusFor, delayMs, signal }: ListenerOptions,
): Promise<{ readonly status: number; readonly webhook?: IncomingWebhook }> {
  const body = await readBody(request);
  if (body === undefined) return { status: 413 };
  if (request.method !== 'POST') return { status: 405 };
  const headers = singleHeaders(request);
  const now = clock.now();
  const verification = keys.length > 0 ? verifyWebhook({ body, headers }, { keys, now }) : null;
  if (delayMs > 0) await clock.sleep(delayMs, signal);
  const status = verification && !verification.valid ? 401 : statusFor(number);
  const text = body.toString('utf8');
  const path = request.url ?? '/';
  return { status, webhook: { number, path, headers, body: text, verification, answered: status } };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function singleHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = code === 'EADDRINUSE' ? 'it is in use' : (code ?? 'unknown error');
    throw new AppError('configuration', `Port ${port} on ${host} cannot be used: ${reason}.`, {
      hint: 'Choose another port with --port; 0 selects a free one.',
      cause,
    });
  }
}
