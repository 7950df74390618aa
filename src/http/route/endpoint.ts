import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Context, Middleware } from 'koa';
import { addressKey } from '../../base/addresses.js';
import { AppError, type ErrorCode } from '../../base/errors.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import { allowPage } from '../answer/security-headers.js';
import type { Sender } from '../answer/send.js';
import { collectBytes, discardRest, readBody } from '../request/body.js';
import { assertHeaders } from '../request/headers.js';
import { readQuery } from '../request/query.js';
import type { ApiRequest } from './route.js';
import {
  type PathParameter,
  pathParameters,
  type Route,
  type RouteGroup,
  refusesUndeclared,
  type Validator,
} from './route.js';

/** Identifies the caller, or throws `unauthorized`. */
export interface Authenticator {
  /** The OpenAPI security schemes that it reads. All of them are required. */
  readonly schemes: Readonly<Record<string, object>>;
  /** True if requests without them are allowed. */
  readonly isOptional?: boolean;
  /** Its errors besides `unauthorized`. */
  readonly errors?: readonly ErrorCode[];
  /**
   * Returns the principal for handlers. If it is an object, it may have `key` for limits per principal, and `logged`
   * with the log fields that identify the caller. `address` is the client's address, as reported by trusted proxies.
   */
  authenticate(header: (name: string) => string, address: string): unknown;
}

export interface EndpointOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly rateLimiter: RateLimiter;
  /** Aborts when the server shuts down. */
  readonly shutdown: AbortSignal;
}

/** Returns a route as middleware: rate limit, authentication, validation, handler, response. */
export function endpoint(
  group: RouteGroup,
  route: Route,
  options: EndpointOptions & { readonly sender: Sender },
): Middleware {
  const { sender, rateLimiter, shutdown } = options;
  const authenticator = route.auth === undefined ? undefined : options.authenticators[route.auth];
  if (route.auth !== undefined && !authenticator) {
    throw new Error(`${route.name} requires the unknown authenticator ${route.auth}.`);
  }
  const validator = route.body === undefined ? undefined : validatorOf(group, route.body);
  const { limit, content, page } = route;
  const parameters = pathParameters(route.path);
  const headers = Object.keys(route.headers ?? {});
  const refuseUndeclared = refusesUndeclared(group, route);
  return async function answer(ctx) {
    ctx.state.errorShape = group.errorShape;
    ctx.state.route = route.path;
    if (limit?.by === 'address') await rateLimiter.take(limit.rule, addressKey(ctx.state.address));
    const principal =
      authenticator &&
      (await authenticator.authenticate((name) => ctx.get(name), ctx.state.address));
    // Set before validation, so that the log lines of rejected requests identify the caller too.
    ctx.state.logged = loggedOf(principal);
    if (limit?.by === 'principal') await rateLimiter.take(limit.rule, keyOf(principal));
    for (const parameter of parameters) assertParameter(ctx, parameter);
    assertHeaders(headers, ctx.req.headers);
    const query = readQuery(route.query, ctx.querystring, refuseUndeclared);
    const body = validator && (await readBody(ctx, validator));
    const bytes = content ? await readBytes(ctx.req, content.maxBytes) : noBytes;
    const reply = await route.handle(apiRequest(ctx, { body, bytes, query, principal }, shutdown));
    if (page) allowPage(ctx);
    await sender.reply(ctx, reply);
  };
}

const noBytes = Buffer.alloc(0);

/** Returns the validator of a definition in the group's schema file. Throws if the definition does not exist. */
export function validatorOf(
  { name, validators }: Pick<RouteGroup, 'name' | 'validators'>,
  schema: string,
): Validator {
  const validator = validators[schema];
  if (typeof validator !== 'function') throw new Error(`${name} has no schema named ${schema}.`);
  return validator as Validator; // Every export of a generated validator module is a validator.
}

function keyOf(principal: unknown): string {
  const key = (principal as { key?: unknown } | undefined)?.key;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}

function loggedOf(principal: unknown): object | undefined {
  return (principal as { logged?: object } | undefined)?.logged;
}

/** Maximum length of a path parameter that is not an ID, in characters. */
export const maxParameterLength = 100;

function assertParameter(ctx: Context, { name, isId }: PathParameter): void {
  const text: string = ctx.params[name] ?? '';
  if (isId ? /^\d{1,15}$/.test(text) : text.length <= maxParameterLength) return;
  throw new AppError('not_found', `No such ID: ${text.slice(0, 40)}.`);
}

/**
 * Reads a raw body of any type. Throws `too_large` above `maxBytes`, `unsupported_media_type` if the body is
 * compressed, and `bad_request` if it ends early.
 */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new AppError('unsupported_media_type', 'The body must be sent without compression.');
    }
    return await collectBytes(request, maxBytes);
  } catch (error) {
    await discardRest(request);
    throw error;
  }
}

/**
 * Returns the request object for handlers. It has no getters, because defining one takes as long as creating the rest
 * of the object.
 */
function apiRequest(
  ctx: Context,
  { body, bytes, query, principal }: Pick<ApiRequest, 'body' | 'bytes' | 'query' | 'principal'>,
  shutdown: AbortSignal,
): ApiRequest {
  const { req, res, params, state } = ctx;
  let signal: AbortSignal | undefined;
  return {
    params,
    id: Number(params.id),
    query,
    body,
    bytes,
    principal,
    address: state.address,
    // Created on first use, because most requests do not wait.
    signal() {
      signal ??= endOf(req, res, shutdown);
      return signal;
    },
    header: (name) => String(req.headers[name.toLowerCase()] ?? ''),
    whenAnswered: (listener) => whenAnswered(req, res, listener),
  };
}

/**
 * Returns a signal that aborts when the connection closes before the response or the server shuts down. It does not
 * abort after the response, because aborting takes as long as a short request.
 */
function endOf(req: IncomingMessage, res: ServerResponse, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort('shutdown');
  if (shutdown.aborted) stop();
  else shutdown.addEventListener('abort', stop, { once: true });
  whenAnswered(req, res, () => {
    shutdown.removeEventListener('abort', stop);
    if (!res.writableFinished) controller.abort('closed');
  });
  return controller.signal;
}

/**
 * Calls `listener` once, when the response has been sent (the system has accepted its last byte) or the connection has
 * closed, whichever happens first. If several requests of a connection are waiting, Node.js closes only the first
 * response with the connection, so this listens to the connection as well.
 */
function whenAnswered(
  { socket }: IncomingMessage,
  res: ServerResponse,
  listener: () => void,
): void {
  if (res.closed || socket.destroyed) {
    listener();
    return;
  }
  const end = () => {
    res.off('close', end);
    socket.off('close', end);
    listener();
  };
  res.once('close', end);
  socket.once('close', end);
}
