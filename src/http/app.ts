import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from '../base/log.js';
import type { RateLimiter } from '../base/rate-limit.js';
import { createClientAddresses } from './client-address.js';
import { crossOrigin } from './cors.js';
import { answerTogether } from './end-of-turn.js';
import { type Authenticator, endpoint } from './endpoint.js';
import { type ErrorShape, errorEnvelope } from './envelope.js';
import { hostGuard } from './host-guard.js';
import { requestLog } from './request-log.js';
import { readTarget } from './request-target.js';
import type { Route, RouteGroup } from './route.js';
import { securityHeaders } from './security-headers.js';
import { staticFiles } from './static-files.js';

export interface AppOptions {
  readonly groups: readonly RouteGroup[];
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly rateLimiter: RateLimiter;
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
  /** Folder of the static pages, where the listener has some. */
  readonly publicFolder?: string;
  /** Aborts when the server shuts down. */
  readonly shutdown: AbortSignal;
}

/** Everything a request passes through, in order. */
export async function createApp(options: AppOptions): Promise<Koa> {
  const app = new Koa();
  const addresses = createClientAddresses(options.trustedProxies);
  app.use(answerTogether);
  app.use(readTarget);
  app.use(requestLog(options.log, addresses));
  app.use(securityHeaders({ https: options.https, addresses }));
  app.use(errorEnvelope(options.errorShape, options.log));
  app.use(hostGuard(options.boundHost, options.ownHosts));
  if (options.corsOrigins.length > 0) app.use(crossOrigin(options.corsOrigins));
  const router = createRouter(options);
  app.use(router.routes());
  if (options.publicFolder) app.use(await staticFiles(options.publicFolder));
  app.use(answerOptions(router));
  // Failures have been logged with their request by now; Koa would print them again.
  app.silent = true;
  return app;
}

function createRouter(options: AppOptions): Router {
  // Guards go by the path: a path in other letters must not be the same path to the router alone.
  const router = new Router({ sensitive: true });
  for (const candidates of byPlace(options.groups).values()) {
    const answers = candidates.map(({ group, route }) => ({
      route,
      answer: endpoint(group, route, options),
    }));
    const [first] = answers;
    if (!first) continue;
    const answer = answers.length === 1 ? first.answer : firstThatClaims(answers);
    router.register(first.route.path, [first.route.method], answer);
  }
  return router;
}

interface Candidate {
  readonly group: RouteGroup;
  readonly route: Route;
}

/** Routes by method and path: two groups on one listener may share a path. */
function byPlace(groups: readonly RouteGroup[]): Map<string, Candidate[]> {
  const candidates = new Map<string, Candidate[]>();
  for (const group of groups) {
    for (const route of group.routes) {
      const key = `${route.method} ${route.path}`;
      candidates.set(key, [...(candidates.get(key) ?? []), { group, route }]);
    }
  }
  return candidates;
}

interface Answer {
  readonly route: Route;
  readonly answer: Middleware;
}

function firstThatClaims(answers: readonly Answer[]): Middleware {
  return function chooseAnswer(ctx, next) {
    const header = (name: string) => ctx.get(name);
    const chosen = answers.find(({ route }) => route.claims?.(header) ?? true);
    return chosen?.answer(ctx, next);
  };
}

/** Remembers which methods a path has, for 405 and its `Allow`, and answers OPTIONS with them. */
function answerOptions(router: Router): Middleware {
  return function tellMethods(ctx) {
    const layers = router.match(ctx.path, ctx.method).path;
    const methods = layers.flatMap((layer) => layer.methods);
    const allowed: string[] = [...new Set([...(ctx.state.allowedMethods ?? []), ...methods])];
    if (allowed.length === 0) return;
    ctx.state.allowedMethods = [...allowed, 'OPTIONS'];
    if (ctx.method !== 'OPTIONS') return;
    ctx.set('Allow', ctx.state.allowedMethods.join(', '));
    ctx.status = 204;
  };
}
