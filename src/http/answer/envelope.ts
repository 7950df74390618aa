import type { Context, Middleware } from 'koa';
import { AppError, type ErrorCode, systemErrorCode } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { stringifyExact } from '../../json/exact-json.js';
import { assertReadable } from '../request/host-guard.js';
import { languageVary } from '../request/negotiation.js';
import { allowPage } from './security-headers.js';
import { addVary, type Sender } from './send.js';

export type ErrorShape = 'site' | 'gateway';

/** Returns the JSON body of an error in the shape of the listener. */
export function errorBody(error: AppError, shape: ErrorShape): Record<string, unknown> {
  return {
    ...(shape === 'site' ? { ok: false } : {}),
    ...error.fields,
    error: error.message,
    code: error.code,
    ...(error.details ? { details: error.details } : {}),
  };
}

const storageFaults = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE']);

/** Converts anything thrown to an AppError. An unexpected error is converted to one that reveals no details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (storageFaults.has(systemErrorCode(error) ?? '')) {
    return new AppError('storage_unavailable', 'Storage is not available. Try again later.', {
      cause: error,
      headers: { 'Retry-After': '5' },
    });
  }
  return ourFault(error);
}

function ourFault(cause: unknown): AppError {
  return new AppError('internal_error', 'Something went wrong on our side.', { cause });
}

/** Returns the error to send to the client. The location of damaged data (files, lines) is only for the operator. */
function forClient(error: AppError): AppError {
  return error.code === 'data_damaged' ? ourFault(error) : error;
}

/** A failed request for which an error page is drawn. */
export interface FailedRequest {
  readonly error: AppError;
  /** Returns a request header, or '' if it is absent. */
  header(name: string): string;
  /** The request's query, without `?`. */
  readonly querystring: string;
}

/** Draws an error as HTML, for browsers that request a page. */
export type FailurePage = (failed: FailedRequest) => Promise<string>;

/**
 * Returns whether an error is shown as a page. The client must prefer HTML to JSON, and the path must be outside the
 * API.
 */
function wantsPage(ctx: Context): boolean {
  if (ctx.path.startsWith('/api/') || !/\btext\/html\b/i.test(ctx.get('Accept'))) return false;
  return ctx.accepts('html', 'json') === 'html';
}

/** Draws the error page. Returns undefined if the client did not request a page or if drawing it fails. */
async function drawPage(
  ctx: Context,
  error: AppError,
  failurePage: FailurePage,
): Promise<string | undefined> {
  addVary(ctx.state.headers, 'Accept');
  if (!wantsPage(ctx)) return undefined;
  const header = (name: string) => ctx.get(name);
  try {
    const page = await failurePage({ error, header, querystring: ctx.querystring });
    allowPage(ctx);
    addVary(ctx.state.headers, languageVary);
    ctx.state.headers['Content-Type'] = 'text/html; charset=utf-8';
    return page;
  } catch {
    return undefined;
  }
}

export interface EnvelopeOptions {
  /** The shape of errors outside all routes. */
  readonly errorShape: ErrorShape;
  readonly log: Logger;
  /** By default, every error is JSON. */
  readonly failurePage?: FailurePage | undefined;
  readonly sender: Pick<Sender, 'body'>;
}

/**
 * Converts errors to responses. This is the only code that does so. An unknown path is 404. A path with other methods
 * is 405 with `Allow` (`answerOptions` adds the methods to the context).
 */
export function errorEnvelope(options: EnvelopeOptions): Middleware {
  const { errorShape, log, failurePage, sender } = options;
  return async function answerFailures(ctx, next) {
    try {
      assertReadable(ctx.state);
      await next();
      const { res, state } = ctx;
      if (res.statusCode === 404 && state.body === undefined && !ctx.body) throw unanswered(ctx);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500 && !states.has(error.code)) logFailure(log, ctx, error);
      for (const name of ofFiles) ctx.remove(name);
      Object.assign(ctx.state.headers, error.headers, {
        'Cache-Control': 'no-store',
        'Content-Type': 'application/json; charset=utf-8',
      });
      ctx.res.statusCode = error.status;
      const body = errorBody(forClient(error), ctx.state.errorShape ?? errorShape);
      ctx.state.failure = body.code;
      const page = failurePage && (await drawPage(ctx, forClient(error), failurePage));
      return sender.body(ctx, page ?? stringifyExact(body));
    }
  };
}

/** Headers that koa-static may have set before it finds that a file is not readable. */
const ofFiles = ['ETag', 'Last-Modified', 'Content-Encoding'];

/** Codes of errors that are not caused by this service. For them, the log line of the request is sufficient. */
const states: ReadonlySet<ErrorCode> = new Set([
  'payments_unavailable',
  'images_unavailable',
  'session_ended',
]);

/** Logs an error without its details, because a provider's response may name a customer. */
function logFailure(log: Logger, ctx: Context, { code, message, cause }: AppError): void {
  const { requestId: request } = ctx.state;
  log.error({ request, code, ...(cause === undefined ? {} : { err: cause }) }, message);
}

/** Maximum number of characters of a path that a response repeats. */
const maxPathLength = 200;

function pathOf({ path }: Context): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}

function unanswered(ctx: Context): AppError {
  const allowed: readonly string[] = ctx.state.allowedMethods ?? [];
  if (allowed.length === 0) return new AppError('not_found', `There is nothing at ${pathOf(ctx)}.`);
  return new AppError('method_not_allowed', `${ctx.method} is not allowed at ${pathOf(ctx)}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}
