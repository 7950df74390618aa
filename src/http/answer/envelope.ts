import type { Context, Middleware } from 'koa';
import { AppError, type ErrorCode, systemErrorCode } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { stringifyExact } from '../../json/exact-json.js';
import { assertReadable } from '../request/host-guard.js';
import { languageVary } from '../request/negotiation.js';
import { allowPage } from './security-headers.js';
import { addVary, type Sender } from './send.js';

export type ErrorShape = 'site' | 'gateway';

/** The JSON body of a failure in the words of the listener that answers. */
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

/** Anything thrown, as an AppError: what is not one reveals nothing to the client. */
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

/** What a client is told: where data is damaged (files, lines) is the operator's to know. */
function forClient(error: AppError): AppError {
  return error.code === 'data_damaged' ? ourFault(error) : error;
}

/** What a failure page is drawn from. */
export interface FailedRequest {
  readonly error: AppError;
  /** A request header, or '' where it is absent. */
  header(name: string): string;
  /** The request's query, without `?`. */
  readonly querystring: string;
}

/** The HTML of a failure, for browsers that ask for a page. */
export type FailurePage = (failed: FailedRequest) => Promise<string>;

/** Returns whether a failure is shown as a page: the client names HTML and prefers it to JSON; never by the API. */
function wantsPage(ctx: Context): boolean {
  if (ctx.path.startsWith('/api/') || !/\btext\/html\b/i.test(ctx.get('Accept'))) return false;
  return ctx.accepts('html', 'json') === 'html';
}

/** A failure as the page that a browser asks for; undefined where none does, or where drawing it fails as well. */
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
  /** Failures outside of every route are reported in this shape. */
  readonly errorShape: ErrorShape;
  readonly log: Logger;
  /** JSON for everybody where absent. */
  readonly failurePage?: FailurePage | undefined;
  readonly sender: Pick<Sender, 'body'>;
}

/**
 * The one place that turns failures into answers. A path nobody answers is 404; a path that is known
 * under other methods is 405 with `Allow` (the router leaves those on the context).
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

/** What koa-static has set already when a file turns out not to be readable. */
const ofFiles = ['ETag', 'Last-Modified', 'Content-Encoding'];

/** Codes that are not failures of this service. The log line of the request is enough for them. */
const states: ReadonlySet<ErrorCode> = new Set([
  'payments_unavailable',
  'images_unavailable',
  'session_ended',
]);

/** The details stay out of the log: what a provider answered may name a client. */
function logFailure(log: Logger, ctx: Context, { code, message, cause }: AppError): void {
  const { requestId: request } = ctx.state;
  log.error({ request, code, ...(cause === undefined ? {} : { err: cause }) }, message);
}

/** Characters of a path that an answer repeats. */
const longestPath = 200;

function pathOf({ path }: Context): string {
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;
}

function unanswered(ctx: Context): AppError {
  const allowed: readonly string[] = ctx.state.allowedMethods ?? [];
  if (allowed.length === 0) return new AppError('not_found', `There is nothing at ${pathOf(ctx)}.`);
  return new AppError('method_not_allowed', `${ctx.method} is not possible at ${pathOf(ctx)}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}
