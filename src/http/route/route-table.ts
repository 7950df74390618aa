import { Router } from '@koa/router';
import type { Middleware } from 'koa';

export type RouteTable = ReturnType<typeof createRouteTable>;

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
