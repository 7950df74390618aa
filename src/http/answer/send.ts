import type { Context, Middleware } from 'koa';
import { stringifyExact } from '../../json/exact-json.js';
import { type Coding, preferredCoding } from '../request/accept-encoding.js';
import { createCompression, isWorthCompressing } from './compression.js';
import { etagIn, matchesEtag } from './etag.js';
import type { Reply } from './reply.js';
import type { Representation } from './representation.js';

/** What is known of an answer before it is sent; `ctx.state` holds it. */
interface Answer {
  /** Each under its name as `setHeader` in this file writes it. */
  readonly headers: Record<string, string>;
  body?: Buffer | string;
}

/**
 * Sends the answer of a request once everything after this has dealt with it; files are streamed by Koa. Answers that
 * become ready in one turn of the event loop are sent one right after the other. Sent as they come, each one wakes a
 * client that waits again by the time of the next: docs/decisions/0035-one-way-for-a-request.md.
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
    if (ctx.body) ctx.set(answer.headers);
    else write(ctx, answer);
  };
}

/** Writes an answer at once. Koa would find out again what its body is, and set headers one by one. */
function write(ctx: Context, { headers, body = '' }: Answer): void {
  const { res } = ctx;
  ctx.respond = false;
  if (isEmpty(res.statusCode)) delete headers['Content-Type'];
  else headers['Content-Length'] = String(Buffer.byteLength(body));
  res.writeHead(res.statusCode, headers).end(body);
}

function isEmpty(status: number): boolean {
  return status === 204 || status === 304;
}

export type Sender = ReturnType<typeof createSender>;

/** Gives answers their bodies, in the coding that the client prefers; none (304) if the client has them already. */
export function createSender() {
  const compress = createCompression();

  /** Sets the body of an answer whose headers are set; `etag` is of the body as it is. */
  async function setBody(
    ctx: Context,
    body: Buffer | string,
    etag?: string,
    encode: Representation['encoded'] = (coding) => compress(body, coding),
  ): Promise<void> {
    const answer: Answer = ctx.state;
    const coding = chooseCoding(ctx, answer.headers, body);
    if (etag && isKnown(ctx, etagIn(coding, etag))) return;
    const coded = coding === 'identity' ? undefined : await encode(coding, compress);
    if (coded) answer.headers['Content-Encoding'] = coding;
    else if (etag) answer.headers.ETag = etag;
    answer.body = coded ?? body;
  }

  return {
    /** Answers with a handler's reply. */
    reply(ctx: Context, reply: Reply): Promise<void> {
      const { status, json, content = '', representation, headers: own } = reply;
      const { headers }: Answer = ctx.state;
      const { Vary: before } = headers;
      ctx.res.statusCode = status;
      headers['Cache-Control'] = 'no-store';
      if (json !== undefined) headers['Content-Type'] = jsonType;
      Object.assign(headers, representation?.headers, own);
      if (before !== undefined) addVary(headers, before);
      if (representation) {
        const { bytes, etag, encoded } = representation;
        return setBody(ctx, bytes, reply.etag ?? etag, encoded);
      }
      return setBody(ctx, json === undefined ? content : stringifyExact(json), reply.etag);
    },
    body: setBody,
  };
}

const jsonType = 'application/json; charset=utf-8';

/** Names further request headers that an answer depends on. */
export function addVary(headers: Record<string, string>, names: string): void {
  headers.Vary = headers.Vary === undefined ? names : `${headers.Vary}, ${names}`;
}

/** Sets the ETag, and answers 304 if a client that reads names it. */
function isKnown({ req, res, state }: Context, etag: string): boolean {
  state.headers.ETag = etag;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (!isRead || !matchesEtag(req.headers['if-none-match'] ?? '', etag)) return false;
  res.statusCode = 304;
  return true;
}

/** Chooses the coding of a body, and names Accept-Encoding in Vary if the answer depends on it. */
function chooseCoding({ req }: Context, headers: Answer['headers'], body: Buffer | string): Coding {
  // `no-transform`: nobody on the way, ourselves included, may send it as something else.
  const mustStay = /\bno-transform\b/i.test(headers['Cache-Control'] ?? '');
  if (mustStay || headers['Content-Encoding'] !== undefined) return 'identity';
  if (!isWorthCompressing(headers['Content-Type'] ?? '', body)) return 'identity';
  addVary(headers, 'Accept-Encoding');
  const accepted = req.headers['accept-encoding'];
  return accepted === undefined ? 'identity' : preferredCoding(String(accepted));
}
