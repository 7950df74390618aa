import type { IncomingMessage } from 'node:http';
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
export const headersOfPages: Readonly<Record<string, string>> = {
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

/**
 * Gives what says whether a client came over https. `https`: every one does; else those do of whom a trusted proxy says
 * so (X-Forwarded-Proto).
 */
export function createHttpsCheck(
  https: boolean,
  { isTrusted }: Pick<ClientAddresses, 'isTrusted'>,
): (request: IncomingMessage) => boolean {
  return ({ headers, socket }) =>
    https || (headers['x-forwarded-proto'] === 'https' && isTrusted(socket.remoteAddress));
}

/** Sets the headers that keep an answer from being framed, sniffed or scripted by others. */
export function securityHeaders(isHttps: (request: IncomingMessage) => boolean): Middleware {
  const open = Object.entries(headersOfAnswers(false));
  const secure = Object.entries(headersOfAnswers(true));
  return function setSecurityHeaders({ req, res }, next) {
    for (const [name, value] of isHttps(req) ? secure : open) res.setHeader(name, value);
    return next();
  };
}

/** Makes an answer a page: what it may load, and what it keeps to itself. */
export function allowPage({ res }: Pick<Context, 'res'>): void {
  // Koa's own way takes as long as the rest of sending a page that is ready.
  for (const name in headersOfPages) res.setHeader(name, headersOfPages[name] ?? '');
}
