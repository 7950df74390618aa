import type { Context, Middleware, Next } from 'koa';
import { addVary } from '../answer/send.js';

const allowedMethods = 'GET, HEAD, POST, PUT, DELETE';
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Profile-Id, X-Request-Id, X-Token-SN, X-Vtoken-Secret';
/** What a page elsewhere may read of an answer, beside its body. */
const readableHeaders = 'ETag, Idempotency-Key, Retry-After, X-Request-Id';

/** Opens everything but the admin endpoints to pages of the listed origins. */
export function crossOrigin(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async function answerCrossOrigin(ctx, next) {
    if (ctx.path.startsWith('/api/admin')) return next();
    const { headers } = ctx.state;
    addVary(headers, 'Origin');
    const origin = ctx.get('Origin');
    if (!allowed.has(origin)) return answerElsewhere(ctx, next);
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      headers['Access-Control-Allow-Methods'] = allowedMethods;
      headers['Access-Control-Allow-Headers'] = allowedHeaders;
      headers['Access-Control-Max-Age'] = '600';
      ctx.status = 204;
      return;
    }
    headers['Access-Control-Expose-Headers'] = readableHeaders;
    await next();
  };
}

/** A page elsewhere asks for a picture without saying who asks; pictures show nothing secret. */
async function answerElsewhere(ctx: Context, next: Next): Promise<void> {
  await next();
  const { headers } = ctx.state;
  const type: string = headers['Content-Type'] ?? ctx.type;
  if (type.startsWith('image/')) headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
}
