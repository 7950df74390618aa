import type { RequestListener } from 'node:http';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Clock } from '../../base/clock.js';
import { writeHost } from '../../base/database-address.js';
import { AppError, systemErrorCode } from '../../base/errors.js';
import { every } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { type ErrorShape, errorBody } from '../answer/envelope.js';
import { headersOfAnswers } from '../answer/security-headers.js';
import type { ObserveRequest } from '../metrics/request-metrics.js';
import { maxHeadersBytes } from '../request/headers.js';
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
  maxHeaderSize: maxHeadersBytes,
  /** The host guard refuses requests without a Host header; Node.js would do so without our headers or a log line. */
  requireHostHeader: false,
  /** Milliseconds after which a connection is closed if the client reads no byte of its answer. */
  unreadTimeout: 30_000,
  /** Bytes of all answers that clients have not read yet. */
  unreadBytes: 256 * 1024 * 1024,
  /** The most open connections, twice as many as may wait for news; further ones are closed at once. */
  connections: 20_000,
};

/** Milliseconds between two checks of a shutdown for idle connections. */
const idleCheckInterval = 25;

/** Milliseconds that a shutdown waits for requests in flight. */
const shutdownGrace = 8_000;

export interface ListenerOptions {
  readonly app: Koa;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly errorShape: ErrorShape;
  readonly clock: Clock;
  readonly log: Logger;
  /** True if clients reach the listener over https (through a proxy). */
  readonly https: boolean;
  /** Called with every request that could not be read. */
  readonly observe?: ObserveRequest | undefined;
  /** Bounds that replace the defaults. */
  readonly limits?: Partial<typeof defaultLimits>;
}

export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Stops accepting connections, lets requests in flight finish (8 s at most), then closes every connection. */
  close(): Promise<void>;
}

/** Opens a listener. Throws `configuration` if the port is taken or not allowed. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { app, host, port, clock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer(limits, oneAtATime(app.callback()));
  server.keepAliveTimeout = limits.keepAliveTimeout;
  server.maxConnections = limits.connections;
  boundUnread(server, limits.unreadBytes);
  const open = followConnections(server);
  // Expectations other than 100-continue may be ignored (RFC 9110 section 10.1.1); Node.js would refuse them unlogged.
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  server.on('clientError', (error, socket) => refuse(error, socket as Socket, options));
  await listen(server, host, port);
  const closing = new AbortController();
  const patience = limits.unreadTimeout;
  const watching = cutUnread(server, { open, clock, patience, signal: closing.signal });
  const { port: boundPort } = server.address() as AddressInfo; // A TCP server has one of these.
  return {
    port: boundPort,
    url: `http://${writeHost(host, boundPort)}`,
    async close() {
      await closeServer(server, open, clock);
      closing.abort();
      await watching;
    },
  };
}

/**
 * Throws as `openListener` would if a port is taken or not allowed, so that a failed start leaves nothing behind. For
 * port 0, only the host is checked.
 */
export async function assertPortsFree(host: string, ports: readonly number[]): Promise<void> {
  for (const port of new Set(ports)) {
    const server = createServer();
    await listen(server, host, port);
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns the open connections of a server, kept up to date. */
function followConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    // Each of its requests may listen to it, and a client may send many at once.
    socket.setMaxListeners(0);
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

/** Returns the failure that explains why a port cannot be used. */
function listenError(cause: Error, host: string, port: number): AppError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program is listening there',
    EACCES: 'this user may not listen there',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'the host name is unknown',
  };
  const reason = reasons[systemErrorCode(cause) ?? ''] ?? cause.message;
  return new AppError('configuration', `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    hint: 'Choose another port with --port, --gateway-port or --metrics-port (0 picks a free one), or another address with --host or --metrics-host.',
    cause,
  });
}

/**
 * Answers and logs a request that Node.js could not read. An attempt to smuggle requests past a proxy shows up only
 * here.
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
  // Browsers open spare connections, and Node.js counts one as busy until its first request. Connections that were
  // unused at the previous check are closed.
  let unused: readonly Socket[] = [];
  const closeIdle = () => {
    server.closeIdleConnections();
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    unused = [...open].filter(({ bytesRead }) => bytesRead === 0);
  };
  // A connection becomes idle when its request has been answered.
  const timer = new AbortController();
  const { signal } = timer;
  void every(idleCheckInterval, closeIdle, { clock, signal });
  await Promise.race([closed, clock.sleep(shutdownGrace, signal)]);
  timer.abort();
  server.closeAllConnections();
  await closed;
}

/** Requests that wait to be handled; each takes about 4 KB. */
const maxWaiting = {
  /** The most waiting requests of one connection; beyond, reading from it pauses. */
  ofOne: 1000,
  /** The most waiting requests of one connection if they arrive at once (64 KB hold 2,500 of the shortest). */
  ofOneAtOnce: 4000,
  /** The most waiting requests of all connections. */
  inAll: 20_000,
} as const;

/**
 * Handles the requests of one connection in order, and each only after the client has read the previous answers. A
 * client may send hundreds of requests at once (pipelining, RFC 9112 section 9.3.2). Node.js would handle all of them
 * and keep every answer in memory for a client that reads none. Reading from a client that sends too many requests
 * ahead pauses until it has received answers.
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new Map<Socket, number>();
  let total = 0;

  /** Counts a waiting request; returns false if too many wait. */
  function enter(socket: Socket): boolean {
    const ahead = waiting.get(socket);
    const { ofOne, ofOneAtOnce, inAll } = maxWaiting;
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
    // The requests of a closed connection are no longer counted.
    if (!waiting.has(socket)) return;
    change(socket, -1);
    if (waiting.get(socket) === maxWaiting.ofOne / 2 && socket.isPaused()) socket.resume();
  }

  function change(socket: Socket, by: number): void {
    waiting.set(socket, (waiting.get(socket) ?? 0) + by);
    total += by;
  }

  return function handleInOrder(request, response) {
    const { socket } = request;
    // A response has no socket while an earlier one of its connection is unfinished.
    const isFirst = response.socket !== null;
    if (isFirst && !socket.writableNeedDrain) handle(request, response);
    else if (enter(socket)) {
      const go = () => {
        leave(socket);
        handle(request, response);
      };
      // If the client disconnects first, neither event is emitted and the request is dropped.
      if (isFirst) whenRead(socket, go);
      else response.once('socket', () => whenRead(socket, go));
    } else socket.resetAndDestroy();
  };
}

/** Calls `go` once the client has read the answers sent so far. */
function whenRead(socket: Socket, go: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', go);
  else go();
}
