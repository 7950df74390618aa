import type { Context } from 'koa';
import { whenAnswered } from './end-of-answer.js';
import type { QueryValues } from './query.js';
import type { ApiRequest } from './route.js';
import { shareListener } from './shared-listener.js';

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

  whenAnswered(listener: () => void): void {
    whenAnswered(this.#ctx.req, this.#ctx.res, listener);
  }

  header(name: string): string {
    const value = this.#ctx.req.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }
}

const onShutdown = shareListener<AbortSignal>((signal, call) =>
  signal.addEventListener('abort', call, { once: true }),
);

/** Aborts when the connection closes or the server shuts down, and then lets go of both. */
function endOf({ req, res }: Context, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const waiting = onShutdown(shutdown);
  const end = () => {
    waiting.delete(end);
    controller.abort(shutdown.aborted ? 'shutdown' : 'closed');
  };
  if (shutdown.aborted) end();
  else waiting.add(end);
  whenAnswered(req, res, end);
  return controller.signal;
}
