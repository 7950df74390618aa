import type { Middleware } from 'koa';
import type { Logger } from '../log.js';
import type { ClientAddresses } from './client-address.js';
import { createRequestIds } from './request-id.js';

/**
 * Names each request (X-Request-Id), finds its client and logs one line when it has been answered.
 * The query is left out of the line: it may hold phone numbers.
 */
export function requestLog(log: Logger, addresses: ClientAddresses): Middleware {
  const nextId = createRequestIds();
  return async function logRequest(ctx, next) {
    const started = performance.now();
    const { req, res, state } = ctx;
    const forwarded = req.headers['x-forwarded-for'];
    state.requestId = nextId(req.headers['x-request-id']);
    state.address = addresses.resolve(req.socket.remoteAddress, String(forwarded ?? ''));
    res.setHeader('X-Request-Id', state.requestId);
    try {
      await next();
    } finally {
      log.info({
        request: state.requestId,
        method: req.method,
        path: ctx.path,
        status: ctx.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        address: state.address,
      });
    }
  };
}
