import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { isLoopback } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';
import { remembering } from '../../base/remember.js';

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
