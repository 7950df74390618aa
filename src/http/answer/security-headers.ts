import type { Context, Middleware } from 'koa';
import type { ClientAddresses } from '../request/client-address.js';

/** Directives of every response, including pages. `default-src` implies only the first. */
const forbidden = [
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/**
 * Headers of API responses. They prevent a browser that shows a response as a page from loading or running anything.
 */
const answerHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': ["default-src 'none'", ...forbidden, 'sandbox'].join('; '),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Pages may load only their own scripts and styles, and images from the web. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data:",
  "connect-src 'self'",
  ...forbidden.filter((directive) => !directive.startsWith('form-action')),
  "form-action 'self'",
].join('; ');

/** Headers of pages, which replace or extend the ones above. */
const headersOfPages: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'X-Frame-Options': 'DENY',
};

/** One year, the minimum for browsers' preload lists. */
const transportSecurity = 'max-age=31536000; includeSubDomains';

/** Returns the headers of every response, including responses to requests that could not be read. */
export function headersOfAnswers(https: boolean): Readonly<Record<string, string>> {
  return { ...answerHeaders, ...(https ? { 'Strict-Transport-Security': transportSecurity } : {}) };
}

export interface SecurityHeadersOptions {
  /** True if every client uses https. Otherwise, a trusted proxy reports it for each request (X-Forwarded-Proto). */
  readonly https: boolean;
  readonly addresses: Pick<ClientAddresses, 'isTrusted'>;
}

/** Sets the headers that prevent other sites from framing, sniffing or scripting a response. */
export function securityHeaders({ https, addresses }: SecurityHeadersOptions): Middleware {
  const open = headersOfAnswers(false);
  const secure = headersOfAnswers(true);
  return function setSecurityHeaders({ req: { headers, socket }, state }, next) {
    const isForwarded = headers['x-forwarded-proto'] === 'https';
    const isSecure = https || (isForwarded && addresses.isTrusted(socket.remoteAddress));
    Object.assign(state.headers, isSecure ? secure : open);
    return next();
  };
}

/** Adds the headers of a page to a response. */
export function allowPage({ state }: Pick<Context, 'state'>): void {
  Object.assign(state.headers, headersOfPages);
}
