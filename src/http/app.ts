import type { IncomingMessage } from 'node:http';
import Koa, { type Middleware } from 'koa';
import type { Logger } from '../base/log.js';
import { answerTogether, followTurns } from './answer/answer-together.js';
import { type ErrorShape, errorEnvelope, type FailurePage } from './answer/envelope.js';
import { type FoundReply, type ReadyAnswer, readyAnswers } from './answer/ready-answers.js';
import { createHttpsCheck, securityHeaders } from './answer/security-headers.js';
import { createSender, type Sender } from './answer/send.js';
import { staticFiles } from './answer/static-files.js';
import type { ObserveRequest } from './metrics/request-metrics.js';
import { createClientAddresses } from './request/client-address.js';
import { crossOrigin } from './request/cross-origin.js';
import { createHostCheck, hostGuard } from './request/host-guard.js';
import { createRequestLog, requestLog } from './request/log.js';
import { readTarget } from './request/target.js';
import { type EndpointOptions, endpoint } from './route/endpoint.js';
import type { Route, RouteGroup } from './route/route.js';
import { createRouteTable, type RouteTable } from './route/route-table.js';

export interface AppOptions extends EndpointOptions {
  readonly groups: readonly RouteGroup[];
  readonly log: Logger;
  /** Failures outside of every route (an unknown path, say) are reported in this shape. */
  readonly errorShape: ErrorShape;
  /** The address or name that the listener is bound to. */
  readonly boundHost: string;
  /** Further names that requests may be addressed to. */
  readonly ownHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Whether clients reach the service over https (through a proxy). */
  readonly https: boolean;
  /** Draws failures for browsers; JSON for everybody where absent. */
  readonly failurePage?: FailurePage;
  /** Pages that need no route to be found. */
  readonly readyAnswer?: ReadyAnswer;
  /** Told of every request that was answered. */
  readonly observe?: ObserveRequest;
  /** Folder of the static pages, where the listener has some. */
  readonly publicFolder?: string;
}

/** Everything a request passes through, in order. */
export async function createApp(options: AppOptions): Promise<Koa> {
  const app = new Koa();
  const addresses = createClientAddresses(options.trustedProxies);
  const isHttps = createHttpsCheck(options.https, addresses);
  const requests = createRequestLog(options.log, addresses, options.observe);
  const endOfTurn = followTurns();
  const sender = createSender();
  // Where pages of other origins may read, every answer depends on who asks.
  if (options.corsOrigins.length === 0) {
    const faultOfHost = createHostCheck(options.boundHost, options.ownHosts);
    const isMisdirected = (request: IncomingMessage) => faultOfHost(request) !== undefined;
    const find = findReady(options);
    app.use(readyAnswers({ find, requests, endOfTurn, isMisdirected, isHttps }));
  }
  app.use(answerTogether(endOfTurn));
  app.use(readTarget);
  app.use(requestLog(requests));
  app.use(securityHeaders(isHttps));
  app.use(errorEnvelope({ ...options, sender }));
  app.use(hostGuard(options.boundHost, options.ownHosts));
  if (options.corsOrigins.length > 0) app.use(crossOrigin(options.corsOrigins));
  const table = createTable({ ...options, sender });
  app.use(table.answer);
  if (options.publicFolder) app.use(await staticFiles(options.publicFolder));
  app.use(answerOptions(table));
  // Failures have been logged with their request by now; Koa would print them again.
  app.silent = true;
  return app;
}

/** What is ready of routes and pages. Of routes that share a path, each request has to be looked at. */
function findReady({ groups, readyAnswer }: AppOptions): ReadyAnswer {
  const routes = groups.flatMap((group) => group.routes);
  const ready = new Map<string, () => FoundReply | undefined>();
  for (const { method, path, page = false, ready: now } of routes) {
    const isShared =
      routes.filter((other) => other.path === path && other.method === method).length > 1;
    if (!now || isShared) continue;
    ready.set(path, () => {
      const reply = now();
      return reply && { reply, route: path, isPage: page };
    });
  }
  return function findAnswer(address, headers) {
    const found = ready.get(address);
    return found ? found() : readyAnswer?.(address, headers);
  };
}

function createTable(options: AppOptions & { readonly sender: Sender }): RouteTable {
  const table = createRouteTable();
  const all = options.groups.flatMap((group) => group.routes.map((route) => ({ group, route })));
  for (const [index, { group, route }] of all.entries()) {
    const { method, path } = route;
    const isShared = all
      .slice(index + 1)
      .some((other) => other.route.method === method && other.route.path === path);
    const answer = endpoint(group, route, options);
    table.add(method, path, isShared ? ifClaimed(route, answer) : answer);
  }
  return table;
}

/** Where two groups on one listener share a path, the first one leaves to the next what it does not claim. */
function ifClaimed({ claims }: Route, answer: Middleware): Middleware {
  return function answerClaimed(ctx, next) {
    const isClaimed = claims?.((name) => ctx.get(name)) ?? true;
    return isClaimed ? answer(ctx, next) : next();
  };
}

/** Remembers which methods a path has, for 405 and its `Allow`, and answers OPTIONS with them. */
function answerOptions(table: RouteTable): Middleware {
  return function listMethods(ctx) {
    const methods = table.methodsOf(ctx.path);
    const allowed: string[] = [...new Set([...(ctx.state.allowedMethods ?? []), ...methods])];
    if (allowed.length === 0) return;
    ctx.state.allowedMethods = [...allowed, 'OPTIONS'];
    if (ctx.method !== 'OPTIONS') return;
    ctx.set('Allow', ctx.state.allowedMethods.join(', '));
    ctx.status = 204;
  };
}
