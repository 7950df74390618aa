import type { Context, Middleware } from 'koa';
import type { ClientAddresses } from '../request/client-address.js';

/** Directives of every answer, including pages. Only the first would follow from default-src. */
const forbidden = [
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Headers of the API's answers: a browser that is made to show one as a page may load and run nothing. */
const answerHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': ["default-src 'none'", ...forbidden, 'sandbox'].join('; '),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Pages may load their own scripts and styles, pictures from the web, and nothing else. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data:",
  "connect-src 'self'",
  ...forbidden.filter((directive) => !directive.startsWith('form-action')),
  "form-action 'self'",
].join('; ');

/** Headers of pages, which replace those above or are added to them. */
const headersOfPages: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'X-Frame-Options': 'DENY',
};

/** One year, the minimum for browsers' preload lists. */
const transportSecurity = 'max-age=31536000; includeSubDomains';

/** Returns the headers of every answer, including answers to requests that could not be read. */
export function headersOfAnswers(https: boolean): Readonly<Record<string, string>> {
  return { ...answerHeaders, ...(https ? { 'Strict-Transport-Security': transportSecurity } : {}) };
}

export interface SecurityHeadersOptions {
  /** True if every client uses https; otherwise a trusted proxy says which ones do (X-Forwarded-Proto). */
  readonly https: boolean;
  readonly addresses: Pick<ClientAddresses, 'isTrusted'>;
}

/** Sets the headers that prevent other sites from framing, sniffing or scripting an answer. */
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

/** Gives an answer the headers of a page. */
export function allowPage({ state }: Pick<Context, 'state'>): void {
  Object.assign(state.headers, headersOfPages);
}
