import { Router } from '@koa/router';
import type { Middleware } from 'koa';

export type RouteTable = ReturnType<typeof createRouteTable>;

/** Segments at the beginning of a path by which its router is found. */
const beginningLength = 2;

interface Part {
  readonly router: Router;
  readonly answer: Dispatch;
}

type Dispatch = ReturnType<Router['routes']>;

/**
 * The routes of a listener. A router tries its routes one by one, which takes longer than the rest of a short request
 * where there are a hundred of them: so there is a router for each beginning that paths have, such as `/api/chats`.
 */
export function createRouteTable() {
  const parts = new Map<string, Part>();

  function partOf(beginning: string): Part {
    const known = parts.get(beginning);
    if (known) return known;
    // Guards go by the path: a path in other letters must not be the same path to the router alone.
    const router = new Router({ sensitive: true });
    const part = { router, answer: router.routes() };
    parts.set(beginning, part);
    return part;
  }

  /** Routers that may have a path: those of longer beginnings first. */
  function partsFor(path: string): Part[] {
    const segments = path.split('/', beginningLength + 1);
    const found: Part[] = [];
    for (let length = segments.length; length > 0; length -= 1) {
      const part = parts.get(segments.slice(0, length).join('/'));
      if (part) found.push(part);
    }
    return found;
  }

  return {
    /** `path` as in `Route`. What answers GET answers HEAD. */
    add(method: string, path: string, answer: Middleware): void {
      // Of other paths, one with a slash behind it is the same; `//` is the address of another host.
      const strict = path === '/';
      partOf(beginningOf(path)).router.register(path, [method], answer, { strict });
    },
    /** The methods that a path has. */
    methodsOf: (path: string): string[] =>
      partsFor(path).flatMap(({ router }) =>
        router.match(path, '').path.flatMap(({ methods }) => methods),
      ),
    /** Answers with what there is for a request's path and method; one that calls on leaves it to the next. */
    answer: function answerRoute(ctx, next) {
      const found = partsFor(ctx.path);
      const go = async (index: number): Promise<unknown> => {
        const part = found[index];
        return part ? part.answer(ctx, () => go(index + 1)) : next();
      };
      return go(0);
    } satisfies Dispatch,
  };
}

/** The first segments of a route's path, as far as they are no parameters. */
function beginningOf(path: string): string {
  const segments = path.split('/', beginningLength + 1);
  const parameter = segments.findIndex((segment) => segment.startsWith(':'));
  return segments.slice(0, parameter < 0 ? undefined : parameter).join('/');
}
