import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context, Middleware } from 'koa';
import { addressKey } from '../../base/addresses.js';
import { AppError, type ErrorCode } from '../../base/errors.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import { allowPage } from '../answer/security-headers.js';
import type { Sender } from '../answer/send.js';
import { collectBytes, discardRest, readBody } from '../request/body.js';
import { headerCheck } from '../request/headers.js';
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

/** Says who asks, or throws `unauthorized`. */
export interface Authenticator {
  /** The OpenAPI security schemes that it reads, all of them required. */
  readonly schemes: Readonly<Record<string, object>>;
  /** Failures it can answer beside `unauthorized`. */
  readonly errors?: readonly ErrorCode[];
  /**
   * Gives the principal that handlers get; objects carry `key` for limits per principal, and `logged`, the fields
   * that say in log lines who asks. `address` is the client's, seen through trusted proxies.
   */
  authenticate(header: (name: string) => string, address: string): unknown;
}

export interface EndpointOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly rateLimiter: RateLimiter;
  /** Aborts when the server shuts down. */
  readonly shutdown: AbortSignal;
}

/** A route as middleware: rate limit, authentication, validation, handler, answer. */
export function endpoint(
  group: RouteGroup,
  route: Route,
  options: EndpointOptions & { readonly sender: Sender },
): Middleware {
  const { sender, rateLimiter, shutdown } = options;
  const authenticator = route.auth === undefined ? undefined : options.authenticators[route.auth];
  if (route.auth !== undefined && !authenticator) {
    throw new Error(
      `${route.name} asks for the authenticator ${route.auth}, which there is none of.`,
    );
  }
  const validator = route.body === undefined ? undefined : validatorOf(group, route.body);
  const { limit, content, page } = route;
  const parameters = pathParameters(route.path);
  const assertHeaders = headerCheck(Object.keys(route.headers ?? {}));
  const undeclared = refusesUndeclared(group, route) ? 'refused' : 'ignored';
  return async function answer(ctx) {
    ctx.state.errorShape = group.errorShape;
    ctx.state.route = route.path;
    if (limit?.by === 'address') await rateLimiter.take(limit.rule, addressKey(ctx.state.address));
    const principal =
      authenticator &&
      (await authenticator.authenticate((name) => ctx.get(name), ctx.state.address));
    // Before anything is refused: lines of refusals name who asks as well.
    ctx.state.logged = loggedOf(principal);
    if (limit?.by === 'principal') await rateLimiter.take(limit.rule, keyOf(principal));
    for (const parameter of parameters) assertParameter(ctx, parameter);
    assertHeaders(ctx.req.headers);
    const query = readQuery(route.query, queryOf(ctx.req.url ?? ''), undeclared);
    const body = validator && (await readBody(ctx, validator));
    const bytes = content ? await readBytes(ctx.req, content.mostBytes) : none;
    const reply = await route.handle(apiRequest(ctx, { body, bytes, query, principal }, shutdown));
    if (page) allowPage(ctx);
    await sender.reply(ctx, reply);
  };
}

const none = Buffer.alloc(0);

function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}

/** Returns the validator of a definition in the group's schema file; throws if there is none. */
export function validatorOf(
  { name, validators }: Pick<RouteGroup, 'name' | 'validators'>,
  schema: string,
): Validator {
  const validator = validators[schema];
  if (typeof validator !== 'function') throw new Error(`${name} has no schema named ${schema}.`);
  return validator as Validator; // The build generates every export of a validator module as one.
}

function keyOf(principal: unknown): string {
  const key = (principal as { key?: unknown } | undefined)?.key;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}

function loggedOf(principal: unknown): object | undefined {
  return (principal as { logged?: object } | undefined)?.logged;
}

/** Characters of a path parameter that is not an ID. */
export const longestParameter = 100;

function assertParameter(ctx: Context, { name, isId }: PathParameter): void {
  const text: string = ctx.params[name] ?? '';
  if (isId ? /^\d{1,15}$/.test(text) : text.length <= longestParameter) return;
  throw new AppError('not_found', `There is nothing with the id ${text.slice(0, 40)}.`);
}

/**
 * Reads a body as it comes, whatever it is said to be. Throws `too_large` above `mostBytes`, `unsupported_media_type`
 * for one that is compressed, and `bad_request` for one that ends early.
 */
async function readBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  try {
    return await collect(request, mostBytes);
  } catch (error) {
    await discardRest(request);
    throw error;
  }
}

async function collect(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported_media_type', 'The body must be sent without compression.');
  }
  return collectBytes(request, mostBytes);
}

/**
 * A Koa context as handlers see it, with what was found of it before. Made for every request, so without
 * accessors, of which each takes as long as all the rest.
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
    // Made when it is first asked for: most requests wait for nothing.
    signal() {
      signal ??= endOf(req, res, shutdown);
      return signal;
    },
    header: (name) => String(req.headers[name.toLowerCase()] ?? ''),
    whenAnswered: (listener) => whenAnswered(req, res, listener),
  };
}

/**
 * Aborts when the connection closes before the answer or the server shuts down, and then lets go of both. After the answer
 * nobody waits any more, and aborting takes as long as a short request.
 */
function endOf(req: IncomingMessage, res: ServerResponse, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const waiting = onShutdown(shutdown);
  const end = () => {
    waiting.delete(end);
    if (shutdown.aborted) controller.abort('shutdown');
    else if (!res.writableFinished) controller.abort('closed');
  };
  if (shutdown.aborted) end();
  else waiting.add(end);
  whenAnswered(req, res, end);
  return controller.signal;
}

/**
 * Calls `listener` once: when the answer was sent (the system has taken its last byte) or its connection
 * has closed, whichever is first. Of requests that wait behind others on one connection, Node.js closes
 * only the first answer with it, so the connection is listened to as well.
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
  const waiting = onClosed(socket);
  const end = () => {
    if (waiting.delete(end)) listener();
  };
  waiting.add(end);
  res.once('close', end);
}

const onShutdown = shareListener<AbortSignal>((signal, call) =>
  signal.addEventListener('abort', call, { once: true }),
);
const onClosed = shareListener<Socket>((socket, call) => socket.once('close', call));

/**
 * Gives the set of what is called when something ends, with one listener on it however many are in the
 * set: adding a listener to a signal that has thousands takes as long as visiting each of them.
 */
function shareListener<Source extends object>(
  listen: (source: Source, call: () => void) => void,
): (source: Source) => Set<() => void> {
  const bySource = new WeakMap<Source, Set<() => void>>();
  return (source) => {
    const known = bySource.get(source);
    if (known) return known;
    const made = new Set<() => void>();
    bySource.set(source, made);
    listen(source, () => {
      for (const call of [...made]) call();
    });
    return made;
  };
}
