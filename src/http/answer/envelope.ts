import type { Context, Middleware } from 'koa';
import { AppError, systemErrorCode } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { stringifyExact } from '../../json/exact-json.js';
import { assertReadable } from '../request/target.js';

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

/**
 * The one place that turns failures into answers. A path nobody answers is 404; a path that is known
 * under other methods is 405 with `Allow` (the router leaves those on the context).
 */
export function errorEnvelope(defaultShape: ErrorShape, log: Logger): Middleware {
  return async function answerFailures(ctx, next) {
    try {
      assertReadable(ctx.state);
      await next();
      if (ctx.status === 404 && !ctx.body) throw unanswered(ctx);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) logFailure(log, ctx, error);
      for (const name of ['ETag', 'Last-Modified']) ctx.remove(name);
      ctx.set({ ...error.headers, 'Cache-Control': 'no-store' });
      ctx.status = error.status;
      const body = errorBody(forClient(error), ctx.state.errorShape ?? defaultShape);
      ctx.state.failure = body.code;
      ctx.type = 'json';
      ctx.body = stringifyExact(body);
    }
  };
}

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
