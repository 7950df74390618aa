import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { Router } from '@koa/router';
import type { Context, Next } from 'koa';
import Koa, { type Middleware } from 'koa';
import serve from 'koa-static';
import type { Logger } from '../base/log.js';
import { type ErrorShape, errorEnvelope, type FailurePage } from './answer/envelope.js';
import { matchesEtag } from './answer/representation.js';
import { allowPage, securityHeaders } from './answer/security-headers.js';
import { addVary, createSender, type Sender, sendAnswers } from './answer/send.js';
import type { ObserveRequest } from './metrics/request-metrics.js';
import { createClientAddresses } from './request/client-address.js';
import { hostGuard, readTarget } from './request/host-guard.js';
import { requestLog } from './request/log.js';
import { type EndpointOptions, endpoint } from './route/endpoint.js';
import type { Route, RouteGroup } from './route/route.js';

export interface AppOptions extends EndpointOptions {
  readonly groups: readonly RouteGroup[];
  readonly log: Logger;
  /** The shape of failures outside all routes, such as an unknown path. */
  readonly errorShape: ErrorShape;
  /** The address or name that the listener is bound to. */
  readonly boundHost: string;
  /** Further host names that requests may use. */
  readonly ownHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** True if clients reach the service over https (through a proxy). */
  readonly https: boolean;
  /** Draws failures for browsers. If absent, every failure is JSON. */
  readonly failurePage?: FailurePage | undefined;
  /** Called with every answered request. */
  readonly observe?: ObserveRequest | undefined;
  /** Folder of the static files, if the listener serves any. */
  readonly publicFolder?: string | undefined;
}

/** Returns the application: everything that a request passes through, in order. */
export async function createApp(options: AppOptions): Promise<Koa> {
  const { log, https, observe, corsOrigins, publicFolder } = options;
  const addresses = createClientAddresses(options.trustedProxies);
  const sender = createSender();
  const table = createTable({ ...options, sender });

  const app = new Koa();
  // Failures are logged with their request; Koa would print them again.
  app.silent = true;
  app.use(sendAnswers());
  app.use(readTarget);
  app.use(requestLog({ log, addresses, observe }));
  app.use(securityHeaders({ https, addresses }));
  app.use(errorEnvelope({ ...options, sender }));
  app.use(hostGuard(options.boundHost, options.ownHosts));
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins));
  app.use(table.answer);
  if (publicFolder) app.use(await staticFiles(publicFolder));
  app.use(answerOptions(table));
  return app;
}

/** Returns the routes of all groups. If several share a method and path, a request goes to the first that claims it. */
function createTable(options: AppOptions & { readonly sender: Sender }): RouteTable {
  const table = createRouteTable();
  const all = options.groups.flatMap((group) => group.routes.map((route) => ({ group, route })));
  for (const [index, { group, route }] of all.entries()) {
    const { method, path, claims } = route;
    const answer = endpoint(group, route, options);
    const isLast = !all
      .slice(index + 1)
      .some((later) => later.route.method === method && later.route.path === path);
    table.add(method, path, claims && !isLast ? ifClaimed(claims, answer) : answer);
  }
  return table;
}

function ifClaimed(claims: NonNullable<Route['claims']>, answer: Middleware): Middleware {
  return function answerClaimed(ctx, next) {
    return claims((name) => ctx.get(name)) ? answer(ctx, next) : next();
  };
}

/** Records the methods of a path, for 405 and `Allow`, and answers OPTIONS with them. */
function answerOptions(table: RouteTable): Middleware {
  return function listMethods(ctx) {
    const methods = table.methodsOf(ctx.path);
    const allowed: string[] = [...new Set([...(ctx.state.allowedMethods ?? []), ...methods])];
    if (allowed.length === 0) return;
    ctx.state.allowedMethods = [...allowed, 'OPTIONS'];
    if (ctx.method !== 'OPTIONS') return;
    ctx.state.headers.Allow = ctx.state.allowedMethods.join(', ');
    ctx.status = 204;
  };
}

const allowedMethods = 'GET, HEAD, POST, PUT, DELETE';
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Profile-Id, X-Request-Id, X-Token-SN, X-Vtoken-Secret';
/** Headers of an answer that pages of other origins may read. */
const readableHeaders = 'ETag, Idempotency-Key, Retry-After, X-Request-Id';

/** Opens everything but the admin endpoints to pages of the listed origins. */
function crossOrigin(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async function answerCrossOrigin(ctx, next) {
    if (ctx.path.startsWith('/api/admin')) return next();
    const { headers } = ctx.state;
    addVary(headers, 'Origin');
    const origin = ctx.get('Origin');
    if (!allowed.has(origin)) return answerElsewhere(ctx, next);
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      headers['Access-Control-Allow-Methods'] = allowedMethods;
      headers['Access-Control-Allow-Headers'] = allowedHeaders;
      headers['Access-Control-Max-Age'] = '600';
      ctx.status = 204;
      return;
    }
    headers['Access-Control-Expose-Headers'] = readableHeaders;
    await next();
  };
}

/** Lets pages of any origin show pictures, which are public: browsers request them without an Origin header. */
async function answerElsewhere(ctx: Context, next: Next): Promise<void> {
  await next();
  const { headers } = ctx.state;
  const type: string = headers['Content-Type'] ?? ctx.type;
  if (type.startsWith('image/')) headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
}

/**
 * Serves the files in `root`, or the `.br` or `.gz` form of one to a client that accepts it. Each has its own ETag. A
 * symbolic link out of `root` counts as missing.
 */
async function staticFiles(root: string): Promise<Middleware> {
  const realRoot = await realpath(root);
  const serveFile = serve(realRoot, {
    index: false,
    setHeaders(response, path, { size, mtimeMs }) {
      const version = `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
      response.setHeader('ETag', `W/"${version}${extname(path)}"`);
    },
  });

  return async function answerFile(ctx, next) {
    if (!(await isFile(realRoot, ctx.path))) return next();
    ctx.state.route = 'static';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.state.allowedMethods = ['GET', 'HEAD'];
      return next();
    }
    allowPage(ctx);
    ctx.state.headers['Cache-Control'] = 'no-cache';
    addVary(ctx.state.headers, 'Accept-Encoding');
    await serveFile(ctx, next);
    const isFresh = matchesEtag(ctx.get('If-None-Match'), ctx.response.get('ETag'));
    if (ctx.status !== 200 || !isFresh) return;
    ctx.status = 304;
    ctx.remove('Content-Encoding');
  };
}

/** Dotfiles, compressed forms, and `//name`, which as a URL reference names another host. */
const hidden = /^\/\/|[\\/]\.|\.(?:br|gz)$/;

async function isFile(root: string, path: string): Promise<boolean> {
  try {
    const name = decodeURIComponent(path);
    if (hidden.test(name)) return false;
    const real = await realpath(join(root, name));
    return real.startsWith(root + sep) && (await stat(real)).isFile();
  } catch {
    // Missing, unreadable or not decodable: the client gets "not found" in each case.
    return false;
  }
}

type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * The routes of a listener. A router tries its routes one by one, which takes longer than the rest of a short request
 * where there are a hundred of them: so there is a router for each beginning that paths have, such as `/api/chats`.
 */
export function createRouteTable() {
  const routers = new Map<string, Router>();

  /** Returns the routes that match a path, those of one method where it is given. */
  function matchesOf(path: string, method?: string) {
    const layers = routers.get(beginningOf(path))?.stack ?? [];
    return layers.filter(
      (layer) => (method === undefined || layer.methods.includes(method)) && layer.match(path),
    );
  }

  return {
    /** `path` as in `Route`. What answers GET answers HEAD. */
    add(method: string, path: string, answer: Middleware): void {
      const beginning = beginningOf(path);
      if (beginning.includes(':')) throw new Error(`${path} begins with a parameter.`);
      // Guards go by the path: a path in other letters must not be the same path to the router alone.
      const router = routers.get(beginning) ?? new Router({ sensitive: true });
      routers.set(beginning, router);
      // Of other paths, one with a slash behind it is the same; `//` is the address of another host.
      const strict = path === '/';
      router.register(path, [method], answer, { strict });
    },
    /** The methods that a path has. */
    methodsOf: (path: string): string[] => matchesOf(path).flatMap(({ methods }) => methods),
    /** Answers with the first route that matches; a route that calls `next` leaves the request to the next one. */
    answer: function answerRoute(ctx, next) {
      const { path } = ctx;
      const layers = matchesOf(path, ctx.req.method);
      const go = (index: number): unknown => {
        const layer = layers[index];
        if (!layer) return next();
        ctx.params = layer.params(path, layer.captures(path));
        return layer.stack[0]?.(ctx as never, async () => void (await go(index + 1)));
      };
      return go(0);
    } satisfies Middleware,
  };
}

/** Returns the first segment of a path; of the API's paths, which share it, the first two. */
function beginningOf(path: string): string {
  const end = path.indexOf('/', path.startsWith('/api/') ? '/api/'.length : 1);
  return end < 0 ? path : path.slice(0, end);
}
