import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '../../base/log.js';
import type { ObserveRequest } from '../metrics/request-metrics.js';
import type { ClientAddresses } from './client-address.js';

/**
 * What somebody who probes the service collects: breaks the rules of the input (a wrong SMS code is one of
 * those), is not signed in, may not, asks for a name that is not ours, comes too often. Their lines are
 * warnings, so that a log of warnings alone still holds them.
 */
const suspicious = new Set([400, 401, 403, 413, 415, 421, 429]);

export interface RequestLogOptions {
  readonly log: Logger;
  readonly addresses: ClientAddresses;
  readonly observe: ObserveRequest | undefined;
}

/**
 * Gives each request an ID (X-Request-Id), finds its client, and logs and counts it once it is answered. The query is
 * left out of the line: it may hold phone numbers. Users are named by their ID alone (`user`, `cashier`), as soon as
 * that is known.
 */
export function requestLog({ log, addresses, observe }: RequestLogOptions): Middleware {
  const nextId = createRequestIds();
  return async function logRequest(ctx, next) {
    const { req, state } = ctx;
    const started = performance.now();
    const id = nextId(req.headers['x-request-id']);
    const forwarded = req.headers['x-forwarded-for'];
    state.requestId = id;
    state.address = addresses.resolve(req.socket.remoteAddress, String(forwarded ?? ''));
    state.headers['X-Request-Id'] = id;
    try {
      await next();
    } finally {
      const ms = performance.now() - started;
      const { statusCode: status } = ctx.res;
      observe?.({ method: req.method, route: state.route, status, seconds: ms / 1000 });
      log[suspicious.has(status) ? 'warn' : 'info']({
        request: id,
        method: req.method,
        path: loggedPath(ctx.path),
        status,
        code: status < 400 ? undefined : state.failure,
        ms: Math.round(ms * 10) / 10,
        address: state.address,
        ...state.logged,
      });
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
