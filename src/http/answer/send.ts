import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Context, Middleware } from 'koa';
import { stringifyExact } from '../../json/exact-json.js';
import { type Coding, preferredCoding } from '../request/negotiation.js';
import type { Reply } from './reply.js';
import type { Representation } from './representation.js';
import { createCompression, etagIn, isCompressible, matchesEtag } from './representation.js';

/** A response that has not been sent yet, in `ctx.state`. */
interface Answer {
  /** Header names are spelled the same everywhere, so that no header is sent twice. */
  readonly headers: Record<string, string>;
  body?: Buffer | string;
}

/**
 * Sends the response after all later middleware has run. Koa streams files. Responses that become ready in the same
 * turn of the event loop are sent together; docs/decisions/0035-one-way-for-a-request.md gives the reason.
 */
export function sendAnswers(): Middleware {
  let turn: Promise<void> | undefined;
  return async function sendAnswer(ctx, next) {
    const answer: Answer = ctx.state;
    Object.assign(answer, { headers: {} });
    await next();
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    await turn;
    if (ctx.response.body) ctx.set(answer.headers);
    else write(ctx, answer);
  };
}

/** Writes a response directly, because Koa would inspect its body again and set the headers one by one. */
function write(ctx: Context, { headers, body = '' }: Answer): void {
  const { res } = ctx;
  ctx.respond = false;
  if (isEmpty(res.statusCode)) delete headers['Content-Type'];
  else headers['Content-Length'] ??= String(Buffer.byteLength(body));
  res.writeHead(res.statusCode, headers).end(body);
}

function isEmpty(status: number): boolean {
  return status === 204 || status === 304;
}

export type Sender = ReturnType<typeof createSender>;

/**
 * Creates an object that sets response bodies in the coding that the client prefers, or 304 if the client has the body.
 */
export function createSender() {
  const compress = createCompression();

  /** Sets the response body. The headers must already be set. `etag` is the tag of the uncompressed body. */
  async function setBody(ctx: Context, body: Buffer | string, etag?: string): Promise<void> {
    const { headers }: Answer = ctx.state;
    let coding: Coding = 'identity';
    if (isCompressible(headers, body)) {
      addVary(headers, 'Accept-Encoding');
      coding = acceptedCoding(ctx);
    }
    if (etag && isKnown(ctx, etagIn(coding, etag))) return;
    const coded = coding === 'identity' ? undefined : await compress(body, coding);
    if (coded) headers['Content-Encoding'] = coding;
    else if (etag) headers.ETag = etag;
    ctx.state.body = coded ?? body;
  }

  async function setForm(ctx: Context, representation: Representation, more: Reply['headers']) {
    const coding = representation.isCompressible ? acceptedCoding(ctx) : 'identity';
    const form = await representation.form(coding, compress);
    const isUnchanged = isKnown(ctx, form.etag);
    addHeaders(ctx.state, isUnchanged ? form.unchanged : form.headers);
    if (more) addHeaders(ctx.state, more);
    if (!isUnchanged) ctx.state.body = form.bytes;
  }

  return {
    /** Sets the response to a handler's reply. If a header is invalid, throws before anything is set. */
    reply(ctx: Context, reply: Reply): Promise<void> {
      const { status, json, content = '', representation, headers, etag } = reply;
      for (const name in headers) {
        validateHeaderName(name);
        validateHeaderValue(name, headers[name] ?? '');
      }
      const body = json === undefined ? content : stringifyExact(json);
      ctx.res.statusCode = status;
      ctx.state.headers['Cache-Control'] = 'no-store';
      if (representation) return setForm(ctx, representation, headers);
      if (json !== undefined) ctx.state.headers['Content-Type'] = jsonType;
      if (headers) addHeaders(ctx.state, headers);
      return setBody(ctx, body, etag);
    },
    body: setBody,
  };
}

const jsonType = 'application/json; charset=utf-8';

/** Adds headers to a response. Both values of `Vary` are kept. */
function addHeaders({ headers }: Answer, more: NonNullable<Reply['headers']>): void {
  const { Vary: before } = headers;
  Object.assign(headers, more);
  if (before !== undefined && more.Vary !== undefined) headers.Vary = `${before}, ${more.Vary}`;
}

/** Adds request headers on which a response depends to its `Vary`. */
export function addVary(headers: Record<string, string>, names: string): void {
  headers.Vary = headers.Vary === undefined ? names : `${headers.Vary}, ${names}`;
}

/** Sets the ETag. If a GET or HEAD request names it, also sets 304 and returns true. */
function isKnown({ req, res, state }: Context, etag: string): boolean {
  state.headers.ETag = etag;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (!isRead || !matchesEtag(req.headers['if-none-match'] ?? '', etag)) return false;
  res.statusCode = 304;
  return true;
}

function acceptedCoding({ req }: Context): Coding {
  const accepted = req.headers['accept-encoding'];
  return accepted === undefined ? 'identity' : preferredCoding(String(accepted));
}
