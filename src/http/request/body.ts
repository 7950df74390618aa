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

/** Maximum size of a request body after decompression, in bytes. */
const bodyLimit = 100 * 1024;

/** Reads a compressed body. */
const inflate = bodyParser({
  enableTypes: ['json'],
  jsonLimit: `${bodyLimit}b`,
  strict: false,
  // The content type has been checked already.
  detectJSON: hasBody,
  onerror: (error) => {
    throw bodyError(error);
  },
});

/**
 * Reads and validates a JSON body. A missing body is treated as `{}`, so that the error names the missing properties.
 * Lenient properties accept numbers and strings of digits. Throws `unsupported_media_type`, `too_large`, `invalid_json`
 * or `validation_failed`.
 */
export async function readBody(ctx: Context, validator: Validator): Promise<unknown> {
  if (hasBody(ctx) && !isJson(ctx)) throw wrongType(ctx);
  const text = hasBody(ctx) ? await readText(ctx) : '';
  const { numbers } = validator;
  const parsed = text === '' ? {} : parse(text);
  const body = numbers ? withOwnForms(exactly(parsed, text), numbers) : parsed;
  if (!validator(body)) {
    const details = describeViolations(explainForms(validator.errors ?? [], numbers ?? {}));
    throw new AppError('validation_failed', 'The body has values that are not allowed.', {
      details,
    });
  }
  return body;
}

/** Returns the parsed body with all digits of its integers. */
function exactly(parsed: unknown, text: string): unknown {
  if (!mayLoseDigits(text)) return parsed;
  try {
    return parseExact(text);
  } catch (cause) {
    // The text is valid JSON within the depth limit, so the number of digits is the only possible cause.
    const message = `The body contains an integer of more than ${maxDigits} digits.`;
    throw new AppError('invalid_json', message, { cause });
  }
}

/** The character with which the decoder replaces invalid UTF-8. Valid text can contain it too. */
const replacement = '\ufffd';

/** Some programs write it before UTF-8 text. */
const byteOrderMark = '\ufeff';

/** Returns the text of the body. If the body is rejected, discards the rest. */
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
    throw new AppError('invalid_json', 'The body is not valid JSON: it is not UTF-8.');
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
      const message = `The body is nested more than ${deepestJson} levels deep.`;
      throw new AppError('invalid_json', message);
    }
    // A second pass is rare, because few texts can contain the name.
    if (/__proto__|\\u/.test(text)) JSON.parse(text, refusePrototype);
    return value;
  } catch (error) {
    throw error instanceof Error ? bodyError(error) : error;
  }
}

/** Rejects `__proto__`, because its value would become the prototype of an object to which it is copied. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('An object has the property __proto__.');
  return value;
}

/** Time for which a response waits for a client that is still sending an unread body, in milliseconds. @bound */
const discardPatience = 500;

/**
 * Reads and discards the rest of a rejected body. An unread body would block the next request on the connection, and a
 * client that is disconnected while it sends does not receive the response.
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

/** Returns whether the body is declared as JSON in UTF-8 (RFC 8259 section 8.1). Other encodings would be misread. */
function isJson(ctx: Context): boolean {
  const { charset } = ctx.request;
  return Boolean(ctx.request.is('application/json')) && /^(utf-?8)?$/i.test(charset);
}

function wrongType(ctx: Context): AppError {
  const type = ctx.get('Content-Type') || 'none';
  return new AppError(
    'unsupported_media_type',
    `The body must be sent as application/json in UTF-8 (Content-Type was ${type.slice(0, 100)}).`,
  );
}

/** Converts a parsing error. Errors of raw-body have a status and a type. Errors of JSON.parse have only a message. */
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
 * Reads the bytes of a body. Throws `too_large` above `maxBytes`, and `bad_request` if the body ends early. The rest of
 * the body is not read, and the connection stays open for the response.
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
