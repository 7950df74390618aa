import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '../../base/log.js';
import type { ObserveRequest } from '../metrics/request-metrics.js';
import type { ClientAddresses } from './client-address.js';

/**
 * Statuses that are typical of someone probing the service: invalid input (such as a wrong SMS code), a missing sign-in
 * or permission, an unknown host name, or too many requests. They are logged as warnings, so that they appear at the
 * log level `warn`.
 */
const suspicious = new Set([400, 401, 403, 413, 415, 421, 429]);

export interface RequestLogOptions {
  readonly log: Logger;
  readonly addresses: ClientAddresses;
  readonly observe: ObserveRequest | undefined;
}

/**
 * Assigns an ID to each request (X-Request-Id), determines the client's address, and logs and counts the request after
 * the response. The query is not logged, because it may contain phone numbers. Users are logged only by ID (`user`,
 * `cashier`).
 */
export function requestLog({ log, addresses, observe }: RequestLogOptions): Middleware {
  return async function logRequest(ctx, next) {
    const { req, state } = ctx;
    const started = performance.now();
    const sent = String(req.headers['x-request-id'] ?? '');
    const id = acceptable.test(sent) ? sent : randomUUID();
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

/** Request IDs that are accepted from a proxy. Others are replaced. */
const acceptable = /^[\w.-]{8,64}$/;

/** Maximum length of a path in a log line, in characters. It prevents clients from filling the disk. */
const maxPathLength = 500;

/** Returns a path for the log. No escaping is required, because Node.js accepts only visible ASCII in paths. */
export function loggedPath(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}...` : path;
}
