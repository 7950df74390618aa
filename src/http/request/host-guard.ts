import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { isLoopback } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';
import { remembering } from '../../base/recent.js';

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

/** Characters of a Host header: a name of 253 (RFC 1035 section 2.3.4), a port and brackets. */
const longestHost = 262;

/** The name in a Host header without its port, lower case; '' where it is not one. */
export function hostName(header: string): string {
  if (header.length > longestHost) return '';
  const match = /^(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(header.trim());
  return (match?.[1] ?? '').toLowerCase().replace(/\.$/, '');
}

/** Node.js takes the first of several; a proxy in front may have taken another one. */
function hasOneHostAtMost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  // Names and values take turns.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count <= 1;
}

/**
 * Refuses requests that have several Host headers, or none in HTTP/1.1 (400, RFC 9112 section 3.2), and those for names
 * that are not ours (421) while bound to loopback. A page of a foreign site can point its own name at 127.0.0.1 (DNS
 * rebinding), but cannot fake the Host header.
 */
export function hostGuard(boundHost: string, ownNames: readonly string[]): Middleware {
  const names = new Set([boundHost, ...ownNames].map((name) => name.toLowerCase()));
  const isOurs = remembering((header) => {
    const name = hostName(header);
    return name !== '' && (isLoopback(name) || names.has(name));
  });
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
      throw new AppError('misdirected', 'This service does not answer for that host name.', {
        hint: 'Add the name to MSGSITE_HOSTS if it is yours.',
      });
    }
    return next();
  };
}

/**
 * Throws `forbidden` where a page of another origin sends a form here. What a browser says of itself counts
 * (`Sec-Fetch-Site`, `Origin`: no page can change either); scripts and old browsers, which say neither, are let through.
 * `ownHosts`: names that the service answers for besides the one that the request is addressed to, as behind a proxy
 * that renames it.
 */
export function assertSameOrigin(
  header: (name: string) => string,
  ownHosts: readonly string[] = [],
): void {
  const site = header('Sec-Fetch-Site');
  const origin = header('Origin');
  if (site === 'cross-site' || site === 'same-site') throw foreign();
  // A page that keeps its address to itself (Referrer-Policy) has its browser say `Origin: null` even here.
  if (site === 'same-origin' && origin === 'null') return;
  // A page that sends no referrer has no origin either (`null`), where the browser does not say more.
  if (site === 'same-origin' || origin === '' || isOwn(origin, header('Host'))) return;
  if (!ownHosts.some((name) => isOwn(origin, name))) throw foreign();
}

/** Whether an origin is at a host. The port counts where the host has one: proxies may leave it out. */
function isOwn(origin: string, host: string): boolean {
  const asking = readOrigin(origin);
  const asked = readOrigin(`${asking?.protocol}//${host}`);
  if (!asking || !asked) return false;
  const hasPort = /:\d+$/.test(host);
  return hasPort ? asking.host === asked.host : asking.hostname === asked.hostname;
}

/** Undefined where it is none of the web, as of a page in a sandbox (`null`). */
function readOrigin(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function foreign(): AppError {
  return new AppError('forbidden', 'This form was sent by a page of another site.', {
    hint: 'Open the page on this site, and send the form from there.',
  });
}
