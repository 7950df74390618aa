import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { AppError } from '../../base/errors.js';
import { deepestJson, isDeeperThan } from '../../json/bounds.js';
import { mayLoseDigits, mostDigits, parseExact } from '../../json/exact-json.js';
import { describeViolations } from '../../json/violations.js';
import type { Validator } from '../route/route.js';
import { explainForms, withOwnForms } from './number-forms.js';

/** The largest body that is read, in bytes, counted after decompression. */
const bodyLimit = 100 * 1024;

/** Reads bodies that are compressed. */
const inflate = bodyParser({
  enableTypes: ['json'],
  jsonLimit: `${bodyLimit}b`,
  strict: false,
  // Its type has been checked already.
  detectJSON: hasBody,
  onerror: (error) => {
    throw bodyError(error);
  },
});

/**
 * Reads a JSON body and checks it. No body at all counts as `{}`, so that what is missing is named.
 * Where the schema is lenient, numbers and digits in text are what it asks for.
 * Throws `unsupported_media_type`, `too_large`, `invalid_json` or `validation_failed`.
 */
export async function readBody(ctx: Context, validator: Validator): Promise<unknown> {
  if (hasBody(ctx) && !isJson(ctx)) throw wrongType(ctx);
  const text = hasBody(ctx) ? await readText(ctx) : '';
  const { numbers } = validator;
  const given = text === '' ? {} : parse(text);
  const body = numbers ? withOwnForms(exactly(given, text), numbers) : given;
  if (!validator(body)) {
    const details = describeViolations(explainForms(validator.errors ?? [], numbers ?? {}));
    throw new AppError('validation_failed', 'The body has values that are not allowed.', {
      details,
    });
  }
  return body;
}

/** The parsed body, with every digit of its integers. */
function exactly(parsed: unknown, text: string): unknown {
  if (!mayLoseDigits(text)) return parsed;
  try {
    return parseExact(text);
  } catch (cause) {
    // It is JSON that nests no deeper than it may: nothing else is left.
    const message = `The body has an integer of more than ${mostDigits} digits.`;
    throw new AppError('invalid_json', message, { cause });
  }
}

/** What takes the place of bytes that are no UTF-8; a client may also have sent it. */
const replacement = '\ufffd';

/** What some programs put before a text in UTF-8. */
const byteOrderMark = '\ufeff';

/** The text of the body. Where it is refused, what is left of it is let run off. */
async function readText(ctx: Context): Promise<string> {
  try {
    const isPlain = (ctx.req.headers['content-encoding'] ?? 'identity') === 'identity';
    return isPlain ? textOf(await collectBytes(ctx.req, bodyLimit)) : await inflated(ctx);
  } catch (error) {
    await discardRest(ctx.req);
    throw error;
  }
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  if (text.includes(replacement) && !isUtf8(bytes)) {
    throw new AppError('invalid_json', 'The body is not valid JSON: it is not in UTF-8.');
  }
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

async function inflated(ctx: Context): Promise<string> {
  await inflate(ctx, noNext);
  const { rawBody } = ctx.request;
  return typeof rawBody === 'string' ? rawBody : '';
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(text)) {
      const message = `The body nests more than ${deepestJson} levels deep.`;
      throw new AppError('invalid_json', message);
    }
    // Looked for in its text first: hardly any has it.
    if (/__proto__|\\u/.test(text)) JSON.parse(text, refusePrototype);
    return value;
  } catch (error) {
    throw error instanceof Error ? bodyError(error) : error;
  }
}

/** A value under this name would become the prototype of an object that it is copied to. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('An object has the property __proto__.');
  return value;
}

/** Milliseconds that an answer waits for a client that is still sending an unread body. @bound */
const discardPatience = 500;

/**
 * Lets the rest of a refused body run off. The parser leaves it standing, which would block the
 * connection for its next request; and a client that is cut off while it sends sees no answer.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const signal = AbortSignal.timeout(discardPatience);
  await once(request, 'end', { signal }).catch(() => {});
}

async function noNext(): Promise<void> {}

function hasBody({ req }: Context): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** JSON is UTF-8 (RFC 8259 section 8.1); text that says it is something else would be misread. */
function isJson(ctx: Context): boolean {
  // As most clients say it; reading any other spelling takes longer than reading the body.
  if (ctx.req.headers['content-type'] === 'application/json') return true;
  const { charset } = ctx.request;
  return Boolean(ctx.request.is('application/json')) && /^(utf-?8)?$/i.test(charset);
}

function wrongType(ctx: Context): AppError {
  const given = ctx.get('Content-Type') || 'none';
  return new AppError(
    'unsupported_media_type',
    `The body must be sent as application/json in UTF-8 (Content-Type was ${given.slice(0, 100)}).`,
  );
}

/** What parsing throws: raw-body's errors carry a status and a type, JSON.parse's only a message. */
function bodyError(error: Error & { status?: number; type?: string }): AppError {
  if (error instanceof AppError) return error;
  const { status, type, cause = error } = error;
  if (status === 413) {
    return new AppError('too_large', 'The body is larger than 100 KB.', { cause });
  }
  if (status === 415) {
    return new AppError('unsupported_media_type', 'The body must be JSON in UTF-8.', { cause });
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new AppError('bad_request', 'The body ended before it was complete.', { cause });
  }
  return new AppError('invalid_json', 'The body is not valid JSON.', { cause });
}

/**
 * Reads the bytes of a body. Throws `too_large` above `mostBytes` and `bad_request` for one that ends early; what is then
 * left of it stays unread, and the connection stays open: its client waits for the answer.
 */
export function collectBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;

    function finish(): void {
      request.off('data', take).off('end', end).off('error', cut).off('close', cut);
    }

    function fail(error: AppError): void {
      finish();
      request.pause();
      reject(error);
    }

    function take(chunk: Buffer): void {
      length += chunk.length;
      if (length > mostBytes) fail(tooLarge(mostBytes));
      else chunks.push(chunk);
    }

    function end(): void {
      finish();
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, length));
    }

    function cut(cause?: Error): void {
      const message = 'The body ended before it was complete.';
      fail(new AppError('bad_request', message, cause ? { cause } : {}));
    }

    if (request.destroyed) cut();
    else if (Number(request.headers['content-length'] ?? 0) > mostBytes) fail(tooLarge(mostBytes));
    else request.on('data', take).on('end', end).on('error', cut).on('close', cut);
  });
}

function tooLarge(mostBytes: number): AppError {
  const size =
    mostBytes >= 1024 * 1024 ? `${mostBytes / 1024 / 1024} MB` : `${mostBytes / 1024} KB`;
  return new AppError('too_large', `The body is larger than ${size}.`);
}
