import type { RequestListener } from 'node:http';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Clock } from '../../base/clock.js';
import { AppError, systemErrorCode } from '../../base/errors.js';
import { every } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { type ErrorShape, errorBody } from '../answer/envelope.js';
import { headersOfAnswers } from '../answer/security-headers.js';
import type { ObserveRequest } from '../metrics/request-metrics.js';
import { largestHeaders } from '../request/headers.js';
import { boundUnread, cutUnread } from './unread-answers.js';

/** The time-outs and sizes that bound what a client can occupy. */
const defaultLimits = {
  /** Milliseconds until the headers are complete. */
  headersTimeout: 10_000,
  /** Milliseconds until the whole request has arrived, body included. */
  requestTimeout: 20_000,
  /** Milliseconds between two checks of both; Node.js's default of 30 s would stretch them. @internal */
  connectionsCheckingInterval: 1_000,
  /** Milliseconds for which an idle connection is kept: longer than common proxies reuse one (nginx: 60 s). */
  keepAliveTimeout: 65_000,
  maxHeaderSize: largestHeaders,
  /** The host guard refuses what has no Host header; Node.js would do so without our headers, and unlogged. */
  requireHostHeader: false,
  /** Milliseconds after which an answer is cut off of which the client takes no byte. */
  unreadTimeout: 30_000,
  /** Bytes of all answers that clients have not read yet. */
  unreadBytes: 256 * 1024 * 1024,
  /** The most open connections, twice what may wait for news; further ones are closed at once. */
  connections: 20_000,
};

/** How often a shutdown checks for connections that have become idle, in milliseconds. */
const idleCheckInterval = 25;

/** How long a shutdown waits for requests in flight, in milliseconds. */
const shutdownGrace = 8_000;

export interface ListenerOptions {
  readonly app: Koa;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly errorShape: ErrorShape;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether clients reach the listener over https (through a proxy). */
  readonly https: boolean;
  /** Told of every request that could not be read. */
  readonly observe?: ObserveRequest | undefined;
  /** Tighter or wider bounds than the usual ones. */
  readonly limits?: Partial<typeof defaultLimits>;
}

export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Stops accepting, lets requests in flight finish (for 8 s at most), then closes every connection. */
  close(): Promise<void>;
}

/** Opens a listener. A port that is taken or not allowed is a `configuration` error that says so. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { app, host, port, clock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer(limits, oneAtATime(app.callback()));
  server.keepAliveTimeout = limits.keepAliveTimeout;
  server.maxConnections = limits.connections;
  boundUnread(server, limits.unreadBytes);
  const open = followConnections(server);
  // What else than 100-continue is expected may go unheard (RFC 9110 section 10.1.1); Node.js would refuse it, unlogged.
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  server.on('clientError', (error, socket) => refuse(error, socket as Socket, options));
  await listen(server, host, port);
  const closing = new AbortController();
  const patience = limits.unreadTimeout;
  const watching = cutUnread(server, { open, clock, patience, signal: closing.signal });
  const { port: boundPort } = server.address() as AddressInfo; // A TCP server has one of these.
  return {
    port: boundPort,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    async close() {
      await closeServer(server, open, clock);
      closing.abort();
      await watching;
    },
  };
}

/**
 * Throws as `openListener` would where a port is taken or not allowed, so that a start that cannot succeed
 * leaves nothing behind. 0 means any free port: the host alone is tried.
 */
export async function assertPortsFree(host: string, ports: readonly number[]): Promise<void> {
  for (const port of new Set(ports)) {
    const server = createServer();
    await listen(server, host, port);
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The open connections of a server, kept up to date. */
function followConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(cause, host, port)));
    server.listen({ host, port, backlog: 1024 }, () => resolve());
  });
}

/** Why a port cannot be listened on, for whoever chose it. */
function listenError(cause: Error, host: string, port: number): AppError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program is listening there',
    EACCES: 'this user may not listen there',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'that host name is not known here',
  };
  const reason = reasons[systemErrorCode(cause) ?? ''] ?? cause.message;
  return new AppError('configuration', `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    hint: 'Choose another with --port, --gateway-port or --metrics-port, or --host or --metrics-host; port 0 picks a free one.',
    cause,
  });
}

/**
 * What Node.js could not read as a request is answered and logged like everything else: who tries to
 * smuggle requests past a proxy is seen here and nowhere else.
 */
function refuse(error: Error, socket: Socket, options: ListenerOptions): void {
  const { errorShape, https, log, observe } = options;
  const reason = systemErrorCode(error);
  if (!socket.writable || reason === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const failure = parseFailure(reason);
  const status = reason === headerOverflow ? 431 : failure.status;
  observe?.({ method: undefined, route: undefined, status, seconds: 0 });
  log.warn({ status, code: failure.code, reason, address: socket.remoteAddress });
  const body = JSON.stringify(errorBody(failure, errorShape));
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    ...headersOfAnswers(https),
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

const headerOverflow = 'HPE_HEADER_OVERFLOW';

function parseFailure(reason: string | undefined): AppError {
  switch (reason) {
    case headerOverflow:
      return new AppError('too_large', 'The request headers are larger than 16 KB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request took too long to arrive.');
    default:
      return new AppError('bad_request', 'This is not a valid HTTP request.');
  }
}

async function closeServer(server: Server, open: ReadonlySet<Socket>, clock: Clock): Promise<void> {
  // The next answer on each open connection asks the client to close it.
  server.prependListener('request', (_request: IncomingMessage, response) => {
    response.setHeader('Connection', 'close');
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Browsers open connections in reserve, and Node.js counts one as busy until its first request. Those that were
  // unused at the check before are closed.
  let unused: readonly Socket[] = [];
  const closeIdle = () => {
    server.closeIdleConnections();
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    unused = [...open].filter(({ bytesRead }) => bytesRead === 0);
  };
  // A connection whose request was in flight becomes idle with its answer.
  const timer = new AbortController();
  const { signal } = timer;
  void every(idleCheckInterval, closeIdle, { clock, signal });
  await Promise.race([closed, clock.sleep(shutdownGrace, signal)]);
  timer.abort();
  server.closeAllConnections();
  await closed;
}

/** Requests that wait for their turn; each takes some 4 KB. */
const mostWaiting = {
  /** The most requests of one connection that wait before no more is read of it. */
  ofOne: 1000,
  /** The most requests of one connection that wait if they came in one piece (64 KB hold 2,500 of the shortest). */
  ofOneAtOnce: 4000,
  /** The most requests of all connections that wait. */
  inAll: 20_000,
} as const;

/**
 * Handles the requests of one connection one after another, and none while an answer before it lies
 * unread. A client may send hundreds of requests at once (pipelining, RFC 9112 section 9.3.2); handled at
 * once, as Node.js does, every answer would wait in memory for a client that reads none of them.
 * Clients that await their answers are handled at once; of one that sends many ahead no more is read until
 * it has had answers.
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new Map<Socket, number>();
  let total = 0;

  /** Counts a request that waits; false where too many do. */
  function enter(socket: Socket): boolean {
    const ahead = waiting.get(socket);
    const { ofOne, ofOneAtOnce, inAll } = mostWaiting;
    if (socket.destroyed || (ahead ?? 0) >= ofOneAtOnce || total >= inAll) return false;
    if (ahead === ofOne) socket.pause();
    if (ahead === undefined) {
      socket.once('close', () => {
        total -= waiting.get(socket) ?? 0;
        waiting.delete(socket);
      });
    }
    change(socket, 1);
    return true;
  }

  function leave(socket: Socket): void {
    // Once the connection has closed, nothing of it is counted any more.
    if (!waiting.has(socket)) return;
    change(socket, -1);
    if (waiting.get(socket) === mostWaiting.ofOne / 2 && socket.isPaused()) socket.resume();
  }

  function change(socket: Socket, by: number): void {
    waiting.set(socket, (waiting.get(socket) ?? 0) + by);
    total += by;
  }

  return function handleInOrder(request, response) {
    const { socket } = request;
    // A response without a socket stands behind another one of its connection.
    const isFirst = response.socket !== null;
    if (isFirst && !socket.writableNeedDrain) handle(request, response);
    else if (enter(socket)) {
      const go = () => {
        leave(socket);
        handle(request, response);
      };
      // Where the client goes before, neither event comes, and nothing is left of the request.
      if (isFirst) whenRead(socket, go);
      else response.once('socket', () => whenRead(socket, go));
    } else socket.resetAndDestroy();
  };
}

/** Calls `go` when the client has taken the answers that it has had. */
function whenRead(socket: Socket, go: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', go);
  else go();
}
