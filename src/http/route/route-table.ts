import type { Middleware } from 'koa';

/** What answers at a path. */
interface Entry {
  /** Its place among all: of several for one path, the first one answers. */
  readonly place: number;
  readonly methods: readonly string[];
  /** Names of the path's parameters, in order. */
  readonly names: readonly string[];
  readonly answer: Middleware;
}

/** An entry for a path, with the texts that stand for its parameters. */
interface Match extends Entry {
  readonly texts: readonly string[];
}

/** What may follow a part of a path: a certain segment, or any for a parameter. */
interface Node {
  readonly named: Map<string, Node>;
  any?: Node;
  readonly entries: Entry[];
}

export type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * Finds the routes of a path by its segments, in a time that does not grow with their number. Paths are matched as they
 * were sent, letters included; one with a slash behind it is the same.
 */
export function createRouteTable() {
  const root = makeNode();
  let count = 0;

  function matchesOf(path: string): readonly Match[] {
    const found: Match[] = [];
    // `*` and what could not be read are no paths.
    if (path.startsWith('/')) collect(root, segmentsOf(path), 0, [], found);
    return found.length < 2 ? found : found.sort((a, b) => a.place - b.place);
  }

  return {
    /** `path` as in `Route`. What answers GET answers HEAD. */
    add(method: string, path: string, answer: Middleware): void {
      const names: string[] = [];
      let node = root;
      for (const segment of segmentsOf(path)) {
        if (segment.startsWith(':')) {
          names.push(segment.slice(1));
          node.any ??= makeNode();
          node = node.any;
        } else {
          const next = node.named.get(segment) ?? makeNode();
          node.named.set(segment, next);
          node = next;
        }
      }
      const methods = method === 'GET' ? ['HEAD', 'GET'] : [method];
      node.entries.push({ place: count, methods, names, answer });
      count += 1;
    },
    /** The methods that a path has. */
    methodsOf: (path: string): string[] => matchesOf(path).flatMap(({ methods }) => methods),
    /** Answers with what there is for a request's path and method; one that calls on leaves it to the next. */
    answer: function answerRoute(ctx, next) {
      const { method, path } = ctx;
      const matches = matchesOf(path).filter(({ methods }) => methods.includes(method));
      const go = (index: number): Promise<unknown> => {
        const match = matches[index];
        if (!match) return next();
        ctx.params = paramsOf(match);
        return match.answer(ctx, () => go(index + 1));
      };
      return go(0);
    } satisfies Middleware,
  };
}

function makeNode(): Node {
  return { named: new Map(), entries: [] };
}

function segmentsOf(path: string): string[] {
  // `//` is the address of another host.
  const end = path.length > 2 && path.endsWith('/') ? -1 : undefined;
  return path.slice(1, end).split('/');
}

function collect(
  { named, any, entries }: Node,
  segments: readonly string[],
  at: number,
  texts: readonly string[],
  found: Match[],
): void {
  const segment = segments[at];
  if (segment === undefined) {
    for (const entry of entries) found.push({ ...entry, texts });
    return;
  }
  const next = named.get(segment);
  if (next) collect(next, segments, at + 1, texts, found);
  if (any && segment !== '') collect(any, segments, at + 1, [...texts, segment], found);
}

function paramsOf({ names, texts }: Match): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) params[name] = decoded(texts[index] ?? '');
  return params;
}

/** Text that is no encoding of another one stands for itself. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
