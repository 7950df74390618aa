import type { Context } from 'koa';
import type { QueryValues } from './query.js';
import type { ApiRequest } from './route.js';

interface Facts {
  readonly body: unknown;
  readonly query: QueryValues;
  readonly principal: unknown;
  readonly shutdown: AbortSignal;
}

/** A Koa context as handlers see it. Built once a request, so nothing in it is made before it is asked for. */
export class KoaApiRequest implements ApiRequest {
  readonly body: unknown;
  readonly query: QueryValues;
  readonly principal: unknown;
  readonly #ctx: Context;
  readonly #shutdown: AbortSignal;
  #signal: AbortSignal | undefined;

  constructor(ctx: Context, { body, query, principal, shutdown }: Facts) {
    this.#ctx = ctx;
    this.body = body;
    this.query = query;
    this.principal = principal;
    this.#shutdown = shutdown;
  }

  get params(): Readonly<Record<string, string>> {
    return this.#ctx.params;
  }

  get id(): number {
    return Number(this.#ctx.params.id);
  }

  get address(): string {
    return this.#ctx.state.address;
  }

  get signal(): AbortSignal {
    this.#signal ??= endOf(this.#ctx, this.#shutdown);
    return this.#signal;
  }

  header(name: string): string {
    const value = this.#ctx.req.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }
}

/** Aborts when the connection closes or the server shuts down, and then lets go of both. */
function endOf({ res }: Context, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = () => {
    shutdown.removeEventListener('abort', end);
    controller.abort();
  };
  res.once('close', end);
  if (shutdown.aborted) end();
  else shutdown.addEventListener('abort', end, { once: true });
  return controller.signal;
}
