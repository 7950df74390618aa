import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { AppError } from '../../base/errors.js';
import { deepestJson, isDeeperThan } from '../../json/bounds.js';
import { maxDigits, mayLoseDigits, parseExact } from '../../json/exact-json.js';
import { describeViolations } from '../../json/violations.js';
import type { Validator } from '../route/route.js';
import { explainForms, withOwnForms } from './number-forms.js';

/** Bytes of the largest body that is read, counted after decompression. */
const bodyLimit = 100 * 1024;

/** Reads compressed bodies. */
const inflate = bodyParser({
  enableTypes: ['json'],
  jsonLimit: `${bodyLimit}b`,
  strict: false,
  // The type has been checked already.
  detectJSON: hasBody,
  onerror: (error) => {
    throw bodyError(error);
  },
});

/**
 * Reads and validates a JSON body. A missing body counts as `{}`, so that the error names the missing properties.
 * Lenient properties accept numbers as well as digits in text.
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

/** Returns the parsed body, with all digits of its integers. */
function exactly(parsed: unknown, text: string): unknown {
  if (!mayLoseDigits(text)) return parsed;
  try {
    return parseExact(text);
  } catch (cause) {
    // The text is valid JSON within the depth limit, so nothing else can be wrong.
    const message = `The body has an integer of more than ${maxDigits} digits.`;
    throw new AppError('invalid_json', message, { cause });
  }
}

/** The decoder's replacement for bytes that are not UTF-8. A client may also have sent it. */
const replacement = '\ufffd';

/** Some programs put it before UTF-8 text. */
const byteOrderMark = '\ufeff';

/** Returns the text of the body. Discards the rest of a refused one. */
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
    // Parsed again only if the text may contain the name; hardly any does.
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
 * Reads and discards the rest of a refused body. Left unread, it would block the connection for its next request; and a
 * client that is disconnected while it sends does not see the answer.
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

/** Returns whether the body is declared as JSON in UTF-8 (RFC 8259 section 8.1); other encodings would be misread. */
function isJson(ctx: Context): boolean {
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

/** Converts what parsing throws: errors of raw-body have a status and a type, those of JSON.parse only a message. */
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
 * Reads the bytes of a body. Throws `too_large` above `maxBytes` and `bad_request` if it ends early. The rest then
 * stays unread and the connection open, because the client waits for the answer.
 */
export async function collectBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad_request', 'The body ended before it was complete.', { cause });
  }
  return Buffer.concat(chunks, length);
}

function tooLarge(maxBytes: number): AppError {
  const size = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MB` : `${maxBytes / 1024} KB`;
  return new AppError('too_large', `The body is larger than ${size}.`);
}
