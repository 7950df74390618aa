import type { Context, Middleware } from 'koa';
import { addressKey } from '../base/addresses.js';
import { AppError, type ErrorCode, type ErrorDetail } from '../base/errors.js';
import type { RateLimiter } from '../base/rate-limit.js';
import { KoaApiRequest } from './api-request.js';
import { readBody } from './body.js';
import { matchesEtag } from './etag.js';
import { readQuery } from './query.js';
import type { Reply } from './reply.js';
import { headerCheck } from './request-headers.js';
import type { Route, RouteGroup, Validator } from './route.js';

/** Says who asks, or throws `unauthorized`. */
export interface Authenticator {
  /** The OpenAPI security schemes that it reads, all of them required. */
  readonly schemes: Readonly<Record<string, object>>;
  /** Failures it can answer beside `unauthorized`. */
  readonly errors?: readonly ErrorCode[];
  /**
   * Gives the principal that handlers get; objects carry `key` for limits per principal. `address` is
   * the client's, seen through trusted proxies.
   */
  authenticate(header: (name: string) => string, address: string): unknown;
}

export interface EndpointOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly rateLimiter: RateLimiter;
  readonly shutdown: AbortSignal;
}

/** A route as middleware: rate limit, authentication, validation, handler, answer. */
export function endpoint(group: RouteGroup, route: Route, options: EndpointOptions): Middleware {
  const { rateLimiter, shutdown } = options;
  const authenticator = route.auth === undefined ? undefined : options.authenticators[route.auth];
  if (route.auth !== undefined && !authenticator) {
    throw new Error(
      `${route.name} asks for the authenticator ${route.auth}, which there is none of.`,
    );
  }
  const validator = route.body === undefined ? undefined : validatorOf(group, route.body);
  const { limit } = route;
  const parameters = pathParameters(route.path);
  const faultsOf = headerCheck(Object.keys(route.headers ?? {}));
  return async function answer(ctx) {
    ctx.state.errorShape = group.errorShape;
    if (limit?.by === 'address') await rateLimiter.take(limit.rule, addressKey(ctx.state.address));
    const principal = await authenticator?.authenticate(
      (name) => headerOf(ctx, name),
      ctx.state.address,
    );
    if (limit?.by === 'principal') await rateLimiter.take(limit.rule, keyOf(principal));
    for (const name of parameters) assertParameter(ctx, name);
    assertHeaders(faultsOf(ctx.req.headers));
    const query = readQuery(route.query, ctx.req.url?.split('?', 2)[1] ?? '');
    const body = validator && (await readBody(ctx, validator));
    send(ctx, await route.handle(new KoaApiRequest(ctx, { body, query, principal, shutdown })));
  };
}

function validatorOf({ name, validators }: RouteGroup, schema: string): Validator {
  const validator = validators[schema];
  if (typeof validator !== 'function') throw new Error(`${name} has no schema named ${schema}.`);
  return validator as Validator; // The build generates every export of a validator module as one.
}

function headerOf(ctx: Context, name: string): string {
  const value = ctx.req.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : '';
}

function keyOf(principal: unknown): string {
  const key = (principal as { key?: unknown } | undefined)?.key;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}

function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}

/** Characters of a path parameter that is no id; nothing has a longer name. */
export const longestParameter = 100;

function assertParameter(ctx: Context, name: string): void {
  const text: string = ctx.params[name] ?? '';
  const isId = name === 'id' || name.endsWith('Id');
  if (isId ? /^\d{1,15}$/.test(text) : text.length <= longestParameter) return;
  throw new AppError('not_found', `There is nothing with the id ${text.slice(0, 40)}.`);
}

function assertHeaders(details: readonly ErrorDetail[]): void {
  if (details.length === 0) return;
  throw new AppError('validation_failed', 'A header has a value that is not allowed.', { details });
}

const jsonType = 'application/json; charset=utf-8';

function send(ctx: Context, reply: Reply): void {
  const { status, json, content, headers, etag } = reply;
  ctx.status = status;
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '');
  if (!headers?.['Cache-Control'] && !ctx.res.hasHeader('Cache-Control')) {
    // With an ETag too: clients send back one that they kept themselves, browsers keep nothing.
    ctx.res.setHeader('Cache-Control', 'no-store');
  }
  if (etag) {
    ctx.res.setHeader('ETag', etag);
    if (matchesEtag(ctx.req.headers['if-none-match'] ?? '', etag)) {
      ctx.status = 304;
      return;
    }
  }
  if (json !== undefined) {
    ctx.res.setHeader('Content-Type', jsonType);
    ctx.body = JSON.stringify(json);
  } else {
    ctx.body = content ?? '';
  }
}
