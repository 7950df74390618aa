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
  /** The shape of errors outside all routes, such as an unknown path. */
  readonly errorShape: ErrorShape;
  /** The address or name to which the listener is bound. */
  readonly boundHost: string;
  /** Further host names that requests may use. */
  readonly ownHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** True if clients reach the service over https (through a proxy). */
  readonly https: boolean;
  /** Draws error pages for browsers. By default, every error is JSON. */
  readonly failurePage?: FailurePage | undefined;
  /** Called after every response. */
  readonly observe?: ObserveRequest | undefined;
  /** Folder of the static files. By default, none are served. */
  readonly publicFolder?: string | undefined;
}

/** Returns the application with all its middleware, in order. */
export async function createApp(options: AppOptions): Promise<Koa> {
  const { log, https, observe, corsOrigins, publicFolder } = options;
  const addresses = createClientAddresses(options.trustedProxies);
  const sender = createSender();
  const table = createTable({ ...options, sender });

  const app = new Koa();
  // Errors are logged with their request. Koa would print them again.
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

/**
 * Returns the routes of all groups. If several share a method and path, the first one that claims a request handles it.
 */
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

/** Records the methods of a path for 405 and `Allow`, and responds to OPTIONS with them. */
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
/** Response headers that pages of other origins may read. */
const readableHeaders = 'ETag, Idempotency-Key, Retry-After, X-Request-Id';

/** Allows pages of the listed origins to call everything except the admin endpoints. */
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

/** Allows pages of any origin to show images, which are public. Browsers request them without an Origin header. */
async function answerElsewhere(ctx: Context, next: Next): Promise<void> {
  await next();
  const { headers } = ctx.state;
  const type: string = headers['Content-Type'] ?? ctx.type;
  if (type.startsWith('image/')) headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
}

/**
 * Serves the files in `root`, or their `.br` or `.gz` versions if the client accepts them. Each version has its own
 * ETag. A symbolic link that leads out of `root` is treated as missing.
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

/** Dotfiles, compressed versions, and `//name`, which is a reference to another host. */
const hidden = /^\/\/|[\\/]\.|\.(?:br|gz)$/;

async function isFile(root: string, path: string): Promise<boolean> {
  try {
    const name = decodeURIComponent(path);
    if (hidden.test(name)) return false;
    const real = await realpath(join(root, name));
    return real.startsWith(root + sep) && (await stat(real)).isFile();
  } catch {
    // The response is "not found" for a missing or unreadable file and for a path that cannot be decoded.
    return false;
  }
}

type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * Creates the route table of a listener. A router tests its routes one by one. With a hundred routes, that would take
 * longer than the rest of a short request, so there is one router for each path prefix, such as `/api/chats`.
 */
export function createRouteTable() {
  const routers = new Map<string, Router>();

  /** Returns the routes that match a path, optionally only those of one method. */
  function matchesOf(path: string, method?: string) {
    const layers = routers.get(prefixOf(path))?.stack ?? [];
    return layers.filter(
      (layer) => (method === undefined || layer.methods.includes(method)) && layer.match(path),
    );
  }

  return {
    /** Adds a route. `path` is that of a `Route`. A GET route also handles HEAD. */
    add(method: string, path: string, answer: Middleware): void {
      const prefix = prefixOf(path);
      if (prefix.includes(':')) throw new Error(`${path} begins with a parameter.`);
      // Guards compare paths case-sensitively, so the router must do the same.
      const router = routers.get(prefix) ?? new Router({ sensitive: true });
      routers.set(prefix, router);
      // Any other path also matches with a trailing slash. `//` would be a reference to another host.
      const strict = path === '/';
      router.register(path, [method], answer, { strict });
    },
    /** Returns the methods of a path. */
    methodsOf: (path: string): string[] => matchesOf(path).flatMap(({ methods }) => methods),
    /** Runs the first route that matches. A route that calls `next` passes the request to the next matching route. */
    answer: function runRoute(ctx, next) {
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

/** Returns the first segment of a path, or the first two segments of an API path. */
function prefixOf(path: string): string {
  const end = path.indexOf('/', path.startsWith('/api/') ? '/api/'.length : 1);
  return end < 0 ? path : path.slice(0, end);
}
