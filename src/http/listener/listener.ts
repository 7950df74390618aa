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

/** Time-outs and sizes that limit the resources that clients can occupy. */
const defaultLimits = {
  /** Time until the headers must be complete, in milliseconds. */
  headersTimeout: 10_000,
  /** Time until the whole request, including its body, must have arrived, in milliseconds. */
  requestTimeout: 20_000,
  /**
   * Time between two checks of both, in milliseconds. With Node.js's default of 30 s, they would expire late. @internal
   */
  connectionsCheckingInterval: 1_000,
  /**
   * Time after which an idle connection is closed, in milliseconds. Common proxies stop reusing one earlier (nginx: 60
   * s).
   */
  keepAliveTimeout: 65_000,
  maxHeaderSize: maxHeadersBytes,
  /** The host guard rejects requests without a Host header. Node.js would omit our headers and the log line. */
  requireHostHeader: false,
  /** Time after which a connection is closed if the client reads no byte of its response, in milliseconds. */
  unreadTimeout: 30_000,
  /** Maximum size of all responses that clients have not read yet, in bytes. */
  unreadBytes: 256 * 1024 * 1024,
  /**
   * Maximum number of open connections. It is twice the number of requests that may wait for news. Further connections
   * are closed immediately.
   */
  connections: 20_000,
};

/** Time between two checks for idle connections during a shutdown, in milliseconds. */
const idleCheckInterval = 25;

/** Time for which a shutdown waits for requests in progress, in milliseconds. */
const shutdownGrace = 8_000;

export interface ListenerOptions {
  readonly app: Koa;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly errorShape: ErrorShape;
  readonly clock: Clock;
  readonly log: Logger;
  /** True if clients reach the listener over https (through a proxy). */
  readonly https: boolean;
  /** Called with every request that could not be read. */
  readonly observe?: ObserveRequest | undefined;
  /** Limits that override the defaults. */
  readonly limits?: Partial<typeof defaultLimits>;
}

export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Stops accepting connections, waits up to 8 seconds for requests in progress, then closes all connections. */
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
  // Expectations other than 100-continue may be ignored (RFC 9110 section 10.1.1). Node.js would reject them without a
  // log line.
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  server.on('clientError', (error, socket) => refuse(error, socket as Socket, options));
  await listen(server, host, port);
  const closing = new AbortController();
  const patience = limits.unreadTimeout;
  const watching = cutUnread(server, { open, clock, patience, signal: closing.signal });
  const { port: boundPort } = server.address() as AddressInfo; // A TCP server has an AddressInfo.
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
 * Throws like `openListener` if a port is taken or not allowed, so that a failed start leaves nothing behind. For port
 * 0, only the host is checked.
 */
export async function assertPortsFree(host: string, ports: readonly number[]): Promise<void> {
  for (const port of new Set(ports)) {
    const server = createServer();
    await listen(server, host, port);
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns a live set of a server's open connections. */
function followConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    // Each request may add a listener to the socket, and a client may send many concurrently.
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

/** Returns the error that explains why a port cannot be used. */
function listenError(cause: Error, host: string, port: number): AppError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program is listening there',
    EACCES: 'this user may not listen there',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'the host name is unknown',
  };
  const reason = reasons[systemErrorCode(cause) ?? ''] ?? cause.message;
  return new AppError('configuration', `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    hint: 'Choose another port with --port, --gateway-port or --metrics-port (0 selects a free one), or another address with --host or --metrics-host.',
    cause,
  });
}

/**
 * Responds to and logs a request that Node.js could not read. This is the only place where an attempt to smuggle
 * requests past a proxy is logged.
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
  // The next response on each open connection tells the client to close it.
  server.prependListener('request', (_request: IncomingMessage, response) => {
    response.setHeader('Connection', 'close');
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Browsers open spare connections, which Node.js treats as busy until their first request. Connections that were
  // unused at the previous check are closed.
  let unused: readonly Socket[] = [];
  const closeIdle = () => {
    server.closeIdleConnections();
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    unused = [...open].filter(({ bytesRead }) => bytesRead === 0);
  };
  // A connection becomes idle after the response to its request.
  const timer = new AbortController();
  const { signal } = timer;
  void every(idleCheckInterval, closeIdle, { clock, signal });
  await Promise.race([closed, clock.sleep(shutdownGrace, signal)]);
  timer.abort();
  server.closeAllConnections();
  await closed;
}

/** Limits of requests that wait to be handled. Each takes about 4 KB. */
const maxWaiting = {
  /** Maximum number of waiting requests of one connection, at which reading from it pauses. */
  ofOne: 1000,
  /**
   * Maximum number of waiting requests of one connection that arrive together (64 KB contain 2,500 of the shortest).
   */
  ofOneTogether: 4000,
  /** Maximum number of waiting requests of all connections. */
  inAll: 20_000,
} as const;

/**
 * Handles the requests of one connection in order, each after the client has read the previous responses. A client may
 * send hundreds of requests without waiting (pipelining, RFC 9112 section 9.3.2). Node.js would handle all of them and
 * keep every response in memory for a client that reads none. If a client sends too many requests ahead, reading from
 * it pauses until it has received responses.
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new Map<Socket, number>();
  let total = 0;

  /** Counts a waiting request. Returns false if too many are waiting. */
  function enter(socket: Socket): boolean {
    const ahead = waiting.get(socket);
    const { ofOne, ofOneTogether, inAll } = maxWaiting;
    if (socket.destroyed || (ahead ?? 0) >= ofOneTogether || total >= inAll) return false;
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
    // A response has no socket while an earlier response on its connection is unfinished.
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

/** Calls `go` once the client has read the responses sent so far. */
function whenRead(socket: Socket, go: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', go);
  else go();
}
