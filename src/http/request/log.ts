import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../../base/log.js';
import type { ObserveRequest } from '../metrics/request-metrics.js';
import type { ClientAddresses } from './client-address.js';

/**
 * What somebody who probes the service collects: breaks the rules of the input (a wrong SMS code is one of
 * those), is not signed in, may not, asks for a name that is not ours, comes too often. Their lines are
 * warnings, so that a log of warnings alone still holds them.
 */
const suspicious = new Set([400, 401, 403, 413, 415, 421, 429]);

/** A request that is being answered. */
export interface BegunRequest {
  /** Its name, for X-Request-Id. */
  readonly id: string;
  /** When, by the monotonic clock, in milliseconds. */
  readonly started: number;
}

/** What is told of a request that was answered. */
export interface EndedRequest {
  readonly begun: BegunRequest;
  readonly status: number;
  readonly path: string;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/**
 * Names requests, finds their clients, and logs and counts each one that has been answered.
 * The query is left out of the line: it may hold phone numbers. Who asks is named by the id alone (`user`, `cashier`),
 * as soon as that is known.
 */
export function createRequestLog(
  log: Logger,
  addresses: ClientAddresses,
  observe?: ObserveRequest,
) {
  const nextId = createRequestIds();
  return {
    begin({ req, state }: RequestContext): BegunRequest {
      const started = performance.now();
      const id = nextId(req.headers['x-request-id']);
      const forwarded = req.headers['x-forwarded-for'];
      state.requestId = id;
      state.address = addresses.resolve(req.socket.remoteAddress, String(forwarded ?? ''));
      return { id, started };
    },
    end({ req, state }: RequestContext, { begun, status, path }: EndedRequest): void {
      const ms = performance.now() - begun.started;
      observe?.({ method: req.method, route: state.route, status, seconds: ms / 1000 });
      const code = status < 400 ? undefined : state.failure;
      log[suspicious.has(status) ? 'warn' : 'info']({
        request: begun.id,
        method: req.method,
        path: loggedPath(path),
        status,
        ...(code === undefined ? {} : { code }),
        ms: Math.round(ms * 10) / 10,
        address: state.address,
        ...state.logged,
      });
    },
  };
}

type RequestContext = Pick<Context, 'req' | 'state'>;

/** Logs each request that was answered, and tells its client its name (X-Request-Id). */
export function requestLog(requests: RequestLog): Middleware {
  return async function logRequest(ctx, next) {
    const begun = requests.begin(ctx);
    ctx.res.setHeader('X-Request-Id', begun.id);
    try {
      await next();
    } finally {
      requests.end(ctx, { begun, status: ctx.status, path: ctx.path });
    }
  };
}

/** What a proxy in front may hand in as the id; anything else is replaced. */
const acceptable = /^[\w.-]{8,64}$/;

/** Ids that are unique among processes and restarts and cheap to make: a random prefix and a counter. */
function createRequestIds(): (given: string | string[] | undefined) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && acceptable.test(given)) return given;
    count += 1;
    return `${prefix}.${count.toString(36)}`;
  };
}

/** Characters of a path that a line repeats: a client must not fill the disk with its requests. */
const longestPath = 500;

/** A path as the log has it. Node.js takes requests in visible ASCII only, so it needs no escaping. */
export function loggedPath(path: string): string {
  return path.length > longestPath ? `${path.slice(0, longestPath)}...` : path;
}
