import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '../../base/log.js';
import type { ObserveRequest } from '../metrics/request-metrics.js';
import type { ClientAddresses } from './client-address.js';

/**
 * Statuses that somebody who probes the service causes: invalid input (such as a wrong SMS code), no sign-in, no
 * permission, an unknown host name, too many requests. They are logged as warnings, so that a log of warnings has them.
 */
const suspicious = new Set([400, 401, 403, 413, 415, 421, 429]);

export interface RequestLogOptions {
  readonly log: Logger;
  readonly addresses: ClientAddresses;
  readonly observe: ObserveRequest | undefined;
}

/**
 * Gives each request an ID (X-Request-Id), finds its client's address, and logs and counts the request once it has been
 * answered. The query is not logged, because it may contain phone numbers. Users are logged by ID alone (`user`,
 * `cashier`).
 */
export function requestLog({ log, addresses, observe }: RequestLogOptions): Middleware {
  return async function logRequest(ctx, next) {
    const { req, state } = ctx;
    const started = performance.now();
    const given = String(req.headers['x-request-id'] ?? '');
    const id = acceptable.test(given) ? given : randomUUID();
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

/** Request IDs that are accepted from a proxy; any other is replaced. */
const acceptable = /^[\w.-]{8,64}$/;

/** The most characters of a path in a log line, so that a client cannot fill the disk. */
const maxPathLength = 500;

/** Returns a path for the log. It needs no escaping, because Node.js accepts only visible ASCII in it. */
export function loggedPath(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}...` : path;
}
