import { Router } from '@koa/router';
import type { Middleware } from 'koa';

export type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * The routes of a listener. A router tries its routes one by one, which takes longer than the rest of a short request
 * where there are a hundred of them: so there is a router for each beginning that paths have, such as `/api/chats`.
 */
export function createRouteTable() {
  const routers = new Map<string, Router>();

  function routerOf(beginning: string): Router {
    const known = routers.get(beginning);
    if (known) return known;
    // Guards go by the path: a path in other letters must not be the same path to the router alone.
    const router = new Router({ sensitive: true });
    routers.set(beginning, router);
    return router;
  }

  /** Returns the routes that match a path, those of one method where it is given; longer beginnings first. */
  function matchesOf(path: string, method?: string) {
    const found: Router['stack'] = [];
    let beginning = beginningOf(path);
    for (;;) {
      for (const layer of routers.get(beginning)?.stack ?? []) {
        const isWanted = method === undefined || layer.methods.includes(method);
        if (isWanted && layer.match(path)) found.push(layer);
      }
      if (beginning === '') return found;
      beginning = beginning.slice(0, Math.max(0, beginning.lastIndexOf('/')));
    }
  }

  return {
    /** `path` as in `Route`. What answers GET answers HEAD. */
    add(method: string, path: string, answer: Middleware): void {
      // Of other paths, one with a slash behind it is the same; `//` is the address of another host.
      const strict = path === '/';
      const [fixed = ''] = path.split('/:');
      routerOf(beginningOf(fixed)).register(path, [method], answer, { strict });
    },
    /** The methods that a path has. */
    methodsOf: (path: string): string[] => matchesOf(path).flatMap(({ methods }) => methods),
    /** Answers with the first route that matches; a route that calls `next` leaves the request to the next one. */
    answer: function answerRoute(ctx, next) {
      const layers = matchesOf(ctx.path, ctx.method);
      const go = (index: number): unknown => {
        const layer = layers[index];
        if (!layer) return next();
        ctx.params = layer.params(ctx.path, layer.captures(ctx.path));
        return layer.stack[0]?.(ctx as never, async () => void (await go(index + 1)));
      };
      return go(0);
    } satisfies Middleware,
  };
}

/** Returns the first two segments of a path. */
function beginningOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  return third < 0 ? path : path.slice(0, third);
}
