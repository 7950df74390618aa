import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { isLoopback } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';

/**
 * Reduces every request target to a path with a query. The host of an absolute address (`GET http://shop.example/
 * HTTP/1.1`, as sent to proxies) replaces the Host header (RFC 9112 section 3.2.2). `assertReadable` rejects a target
 * that cannot be read.
 */
export const readTarget: Middleware = function readTarget({ req, state }, next) {
  if (!req.url?.startsWith('/')) state.hasNoTarget = !makeRelative(req);
  return next();
};

/** Throws `bad_request` if `readTarget` could not read the target. */
export function assertReadable(state: { readonly hasNoTarget?: boolean }): void {
  if (state.hasNoTarget) {
    throw new AppError('bad_request', 'The request target cannot be read.');
  }
}

function makeRelative(req: IncomingMessage): boolean {
  const { url = '' } = req;
  if (url === '*') return true;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    // No route has this path.
    req.url = '*';
    return false;
  }
  req.url = address.pathname + address.search;
  req.headers.host = address.host;
  return true;
}

/** Maximum length of a Host header, in characters: a name of 253 (RFC 1035 section 2.3.4), a port and brackets. */
const maxHostLength = 262;

/** Returns the name in a Host header in lower case and without the port, or '' if the header is not valid. */
export function hostName(header: string): string {
  if (header.length > maxHostLength) return '';
  const match = /^(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(header.trim());
  return (match?.[1] ?? '').toLowerCase().replace(/\.$/, '');
}

/**
 * Returns whether there is at most one Host header. If there are several, Node.js uses the first, but a proxy may use a
 * different one.
 */
function hasOneHostAtMost({ rawHeaders }: IncomingMessage): boolean {
  // Names and values alternate.
  return rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length <= 1;
}

/**
 * Rejects requests with several Host headers, or with none in HTTP/1.1 (400, RFC 9112 section 3.2). A listener that is
 * bound to loopback also rejects unknown host names (421), because another site can point its own name at 127.0.0.1
 * (DNS rebinding) but cannot forge the Host header.
 */
export function hostGuard(boundHost: string, ownNames: readonly string[]): Middleware {
  const names = new Set([boundHost, ...ownNames].map((name) => name.toLowerCase()));
  const isOurs = (header: string) => {
    const name = hostName(header);
    return name !== '' && (isLoopback(name) || names.has(name));
  };
  const isGuarded = isLoopback(boundHost);
  return function guardHost({ req }, next) {
    if (!hasOneHostAtMost(req)) {
      throw new AppError('bad_request', 'The request has more than one Host header.');
    }
    const { host } = req.headers;
    if (host === undefined && req.httpVersion === '1.1') {
      throw new AppError('bad_request', 'The request has no Host header.');
    }
    if (isGuarded && !isOurs(host ?? '')) {
      throw new AppError('misdirected', 'This service does not serve that host name.', {
        hint: 'Add the name to MSGSITE_HOSTS if it is yours.',
      });
    }
    return next();
  };
}

/**
 * Throws `forbidden` if a page of another origin sent a form here. Browsers report the origin in `Sec-Fetch-Site` and
 * `Origin`, which pages cannot change. Scripts and old browsers, which send neither header, are allowed. `ownHosts` are
 * further names of the service, for a proxy that changes the Host header.
 */
export function assertSameOrigin(
  header: (name: string) => string,
  ownHosts: readonly string[] = [],
): void {
  const site = header('Sec-Fetch-Site');
  const origin = header('Origin');
  if (site === 'cross-site' || site === 'same-site') throw foreign();
  // A page with a strict Referrer-Policy sends `Origin: null` even to its own site.
  if (site === 'same-origin' || origin === '' || isOwn(origin, header('Host'))) return;
  if (!ownHosts.some((name) => isOwn(origin, name))) throw foreign();
}

/**
 * Returns whether an origin matches a host. Ports are compared only if the host has one, because proxies may omit it.
 */
function isOwn(origin: string, host: string): boolean {
  const source = readOrigin(origin);
  const target = readOrigin(`${source?.protocol}//${host}`);
  if (!source || !target) return false;
  const hasPort = /:\d+$/.test(host);
  return hasPort ? source.host === target.host : source.hostname === target.hostname;
}

/** Returns undefined for an origin that is not a website, such as the `null` of a sandboxed page. */
function readOrigin(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function foreign(): AppError {
  return new AppError('forbidden', 'This form was sent by a page of another site.', {
    hint: 'Open the page on this site and send the form from there.',
  });
}
