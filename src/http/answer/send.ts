import type { Context } from 'koa';
import { stringifyExact } from '../../json/exact-json.js';
import type { Coding } from '../request/accept-encoding.js';
import { codingFor, isCodable, withEncoding } from './coding.js';
import { createCompression } from './compression.js';
import { etagIn, matchesEtag } from './etag.js';
import { isReady, type ReadyReply, type Reply } from './reply.js';

export type Sender = ReturnType<typeof createSender>;

/** Sends what was decided on: in the coding that the client likes best, or not at all where it has it already. */
export function createSender() {
  const compress = createCompression();

  /** Sends a body whose headers are set; `etag` is of the body as it is. */
  async function sendBody(ctx: Context, body: Buffer | string, etag?: string): Promise<void> {
    const coding = codingOf(ctx, body);
    if (etag && isKnown(ctx, etagIn(coding, etag))) return;
    const coded = coding === 'identity' ? undefined : await compress(body, coding);
    if (coded) ctx.res.setHeader('Content-Encoding', coding);
    else if (etag) ctx.res.setHeader('ETag', etag);
    ctx.body = coded ?? body;
  }

  async function sendReady(ctx: Context, reply: ReadyReply): Promise<void> {
    const { ready, tail = '', etag = ready.etag } = reply;
    const coding = codingOf(ctx, ready.bytes);
    const tag = etagIn(coding, etag);
    if (isKnown(ctx, tail === '' ? tag : `W/${tag}`)) return;
    const bytes = ready.now(coding, tail) ?? (await ready.coded(coding, tail));
    if (coding !== 'identity') ctx.res.setHeader('Content-Encoding', coding);
    ctx.body = bytes;
  }

  return {
    /** Sends a handler's reply. */
    async reply(ctx: Context, reply: Reply): Promise<void> {
      setHeaders(ctx, reply);
      if (isReady(reply)) return sendReady(ctx, reply);
      const { json, content = '', etag } = reply;
      if (json === undefined) return sendBody(ctx, content, etag);
      ctx.res.setHeader('Content-Type', jsonType);
      return sendBody(ctx, stringifyExact(json), etag);
    },
    body: sendBody,
  };
}

const jsonType = 'application/json; charset=utf-8';

function setHeaders(ctx: Context, { status, headers }: Reply): void {
  ctx.status = status;
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '');
  if (!headers?.['Cache-Control'] && !ctx.res.hasHeader('Cache-Control')) {
    // With an ETag too: clients send back one that they kept themselves, browsers keep nothing.
    ctx.res.setHeader('Cache-Control', 'no-store');
  }
}

/** Sets the tag, and answers 304 where a client that reads has what it stands for. */
function isKnown(ctx: Context, etag: string): boolean {
  ctx.res.setHeader('ETag', etag);
  const { method, headers } = ctx.req;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || !matchesEtag(headers['if-none-match'] ?? '', etag)) return false;
  ctx.status = 304;
  return true;
}

/** The coding that a body goes out in; says that the answer depends on the header where it does. */
function codingOf({ req, res }: Context, body: Buffer | string): Coding {
  const header = (name: string) => String(res.getHeader(name) ?? '');
  if (!isCodable(header, body)) return 'identity';
  res.setHeader('Vary', withEncoding(header('Vary')));
  return codingFor(req);
}
