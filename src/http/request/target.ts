import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../base/errors.js';

/**
 * Makes every request target a path with a query. A whole address (`GET http://shop.example/ HTTP/1.1`,
 * as proxies are asked) counts with its host, whatever the Host header says (RFC 9112 section 3.2.2).
 * One that cannot be read is left for `assertReadable` to refuse.
 */
export const readTarget: Middleware = function readTarget({ req, state }, next) {
  // Nearly all targets; the others must not slow these down.
  if (!req.url?.startsWith('/')) state.hasNoTarget = !makeRelative(req);
  return next();
};

/** Throws `bad_request` where `readTarget` could not read the target. */
export function assertReadable(state: { readonly hasNoTarget?: boolean }): void {
  if (state.hasNoTarget) {
    throw new AppError('bad_request', 'The address that the request asks for cannot be read.');
  }
}

function makeRelative(req: IncomingMessage): boolean {
  const { url = '' } = req;
  if (url === '*') return true;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    // Whatever reads the path later finds one that nothing is at.
    req.url = '*';
    return false;
  }
  req.url = address.pathname + address.search;
  req.headers.host = address.host;
  return true;
}
