import type { Context, Middleware } from 'koa';
import type { ClientAddresses } from '../request/client-address.js';

/** What no answer may do, page or not. Only the first of these would follow from default-src. */
const forbidden = [
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** What an answer of the API allows a browser that is led to show it as a page: nothing. */
const answerHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': ["default-src 'none'", ...forbidden, 'sandbox'].join('; '),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Pages load their own scripts and styles, pictures from the web, and nothing else. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data:",
  "connect-src 'self'",
  ...forbidden.filter((directive) => !directive.startsWith('form-action')),
  "form-action 'self'",
].join('; ');

/** What a page says beside or instead of the others. */
const headersOfPages: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'X-Frame-Options': 'DENY',
};

/** One year, the least that browsers' preload lists ask for. */
const transportSecurity = 'max-age=31536000; includeSubDomains';

/** What every answer carries, those included that no request was read for. */
export function headersOfAnswers(https: boolean): Readonly<Record<string, string>> {
  return { ...answerHeaders, ...(https ? { 'Strict-Transport-Security': transportSecurity } : {}) };
}

export interface SecurityHeadersOptions {
  /** Whether every client comes over https; else those do for which a trusted proxy says so (X-Forwarded-Proto). */
  readonly https: boolean;
  readonly addresses: Pick<ClientAddresses, 'isTrusted'>;
}

/** Sets the headers that keep an answer from being framed, sniffed or scripted by others. */
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

/** Makes an answer a page: what it may load, and what it keeps to itself. */
export function allowPage({ state }: Pick<Context, 'state'>): void {
  Object.assign(state.headers, headersOfPages);
}
