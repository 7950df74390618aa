import type { Middleware } from 'koa';

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const common: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** One year, the least that browsers' preload lists ask for. */
const transportSecurity = 'max-age=31536000; includeSubDomains';

/** Sets the headers that keep a page or answer from being framed, sniffed or scripted by others. */
export function securityHeaders({ https }: { readonly https: boolean }): Middleware {
  const headers = Object.entries({
    ...common,
    ...(https ? { 'Strict-Transport-Security': transportSecurity } : {}),
  });
  return function setSecurityHeaders(ctx, next) {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
