import type { Context } from 'koa';
import { remembering } from '../../base/remember.js';
import { stringifyExact } from '../../json/exact-json.js';
import { type Coding, preferredCoding } from '../request/accept-encoding.js';
import { createCompression, isWorthCompressing } from './compression.js';
import { etagIn, matchesEtag } from './etag.js';
import type { Reply } from './reply.js';
import type { Representation } from './representation.js';

export type Sender = ReturnType<typeof createSender>;

/** Sends answers in the coding that the client prefers, or 304 without a body if the client has them already. */
export function createSender() {
  const compress = createCompression();

  /** Sends a body whose headers are set; `etag` is of the body as it is. */
  async function sendBody(ctx: Context, body: Body, etag?: string): Promise<void> {
    const coding = chooseCoding(ctx, body);
    if (etag && isKnown(ctx, etagIn(coding, etag))) return;
    const bytes = bytesOf(body);
    if (coding === 'identity') {
      ctx.body = bytes;
      return;
    }
    const coded = await (bytes === body
      ? compress(bytes, coding)
      : (body as Representation).encoded(coding, compress));
    if (coded) ctx.res.setHeader('Content-Encoding', coding);
    else if (etag) ctx.res.setHeader('ETag', etag);
    ctx.body = coded ?? bytes;
  }

  return {
    /** Sends a handler's reply. */
    reply(ctx: Context, reply: Reply): Promise<void> {
      const { status, json, content, representation, headers } = reply;
      ctx.status = status;
      ctx.res.setHeader('Cache-Control', 'no-store');
      if (json !== undefined) ctx.res.setHeader('Content-Type', jsonType);
      setHeaders(ctx, representation?.headers);
      setHeaders(ctx, headers);
      const body = representation ?? content;
      if (body === undefined) {
        return sendBody(ctx, json === undefined ? '' : stringifyExact(json), reply.etag);
      }
      return sendBody(ctx, body, reply.etag ?? representation?.etag);
    },
    body: sendBody,
  };
}

type Body = Buffer | string | Representation;

function bytesOf(body: Body): Buffer | string {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : body.bytes;
}

const jsonType = 'application/json; charset=utf-8';

function setHeaders({ res }: Context, headers: Reply['headers']): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}

/** Sets the ETag, and answers 304 if a client that reads names it. */
function isKnown(ctx: Context, etag: string): boolean {
  ctx.res.setHeader('ETag', etag);
  const { method, headers } = ctx.req;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || !matchesEtag(headers['if-none-match'] ?? '', etag)) return false;
  ctx.status = 304;
  return true;
}

/** Chooses the coding of a body, and names Accept-Encoding in Vary if the answer depends on it. */
function chooseCoding({ req, res }: Context, body: Body): Coding {
  const header = (name: string) => String(res.getHeader(name) ?? '');
  const isFixed = res.hasHeader('Content-Encoding') || mustStay(header('Cache-Control'));
  if (isFixed || !isWorthCompressing(header('Content-Type'), bytesOf(body))) return 'identity';
  res.setHeader('Vary', withEncoding(header('Vary')));
  const accepted = req.headers['accept-encoding'];
  return accepted === undefined ? 'identity' : preferredCoding(String(accepted));
}

/** `no-transform`: nobody on the way, ourselves included, may send it as something else. */
const mustStay = remembering((cacheControl) => /\bno-transform\b/i.test(cacheControl));

/** Returns a Vary header that names Accept-Encoding, too. */
const withEncoding = remembering((vary) => {
  const names = vary.split(',').map((name) => name.trim());
  if (names.includes('*') || names.some((name) => /^accept-encoding$/i.test(name))) return vary;
  return vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
});
