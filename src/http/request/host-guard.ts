import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { isLoopback } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';

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
 * Gives what finds fault with requests that have several Host headers, or none in HTTP/1.1 (400, RFC 9112 section 3.2),
 * and with those for names that are not ours (421) while bound to loopback. A page of a foreign
 * site can point its own name at 127.0.0.1 (DNS rebinding), but cannot fake the Host header.
 */
export function createHostCheck(
  boundHost: string,
  ownNames: readonly string[],
): (request: IncomingMessage) => AppError | undefined {
  const names = new Set([boundHost, ...ownNames].map((name) => name.toLowerCase()));
  const known = new Set<string>();
  const guarded = isLoopback(boundHost);
  return function faultOfHost(request) {
    if (!hasOneHostAtMost(request)) {
      return new AppError('bad_request', 'The request has more than one Host header.');
    }
    const { host } = request.headers;
    if (host === undefined && request.httpVersion === '1.1') {
      return new AppError('bad_request', 'The request has no Host header.');
    }
    const header = host ?? '';
    if (!guarded || known.has(header)) return undefined;
    const name = hostName(header);
    if (name === '' || !(isLoopback(name) || names.has(name))) {
      return new AppError('misdirected', 'This service does not answer for that host name.', {
        hint: 'Add the name to MSGSITE_HOSTS if it is yours.',
      });
    }
    if (known.size < 100) known.add(header);
    return undefined;
  };
}

/** Refuses the requests that `createHostCheck` finds fault with. */
export function hostGuard(boundHost: string, ownNames: readonly string[]): Middleware {
  const faultOfHost = createHostCheck(boundHost, ownNames);
  return function guardHost(ctx, next) {
    const fault = faultOfHost(ctx.req);
    if (fault) throw fault;
    return next();
  };
}
