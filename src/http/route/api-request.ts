import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { ApiRequest } from './route.js';

/**
 * A Koa context as handlers see it, with what was found of it before. Made for every request, so without
 * accessors, of which each takes as long as all the rest.
 */
export function apiRequest(
  ctx: Context,
  { body, bytes, query, principal }: Pick<ApiRequest, 'body' | 'bytes' | 'query' | 'principal'>,
  shutdown: AbortSignal,
): ApiRequest {
  const { req, res, params, state } = ctx;
  let signal: AbortSignal | undefined;
  return {
    params,
    id: Number(params.id),
    query,
    body,
    bytes,
    principal,
    address: state.address,
    // Made when it is first asked for: most requests wait for nothing.
    signal() {
      signal ??= endOf(req, res, shutdown);
      return signal;
    },
    header: (name) => String(req.headers[name.toLowerCase()] ?? ''),
    whenAnswered: (listener) => whenAnswered(req, res, listener),
  };
}

/**
 * Aborts when the connection closes before the answer or the server shuts down, and then lets go of both. After the answer
 * nobody waits any more, and aborting takes as long as a short request.
 */
function endOf(req: IncomingMessage, res: ServerResponse, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const waiting = onShutdown(shutdown);
  const end = () => {
    waiting.delete(end);
    if (shutdown.aborted) controller.abort('shutdown');
    else if (!res.writableFinished) controller.abort('closed');
  };
  if (shutdown.aborted) end();
  else waiting.add(end);
  whenAnswered(req, res, end);
  return controller.signal;
}

/**
 * Calls `listener` once: when the answer was sent (the system has taken its last byte) or its connection
 * has closed, whichever is first. Of requests that wait behind others on one connection, Node.js closes
 * only the first answer with it, so the connection is listened to as well.
 */
function whenAnswered(
  { socket }: IncomingMessage,
  res: ServerResponse,
  listener: () => void,
): void {
  if (res.closed || socket.destroyed) {
    listener();
    return;
  }
  const waiting = onClosed(socket);
  const end = () => {
    if (waiting.delete(end)) listener();
  };
  waiting.add(end);
  res.once('close', end);
}

const onShutdown = shareListener<AbortSignal>((signal, call) =>
  signal.addEventListener('abort', call, { once: true }),
);
const onClosed = shareListener<Socket>((socket, call) => socket.once('close', call));

/**
 * Gives the set of what is called when something ends, with one listener on it however many are in the
 * set: adding a listener to a signal that has thousands takes as long as visiting each of them.
 */
function shareListener<Source extends object>(
  listen: (source: Source, call: () => void) => void,
): (source: Source) => Set<() => void> {
  const bySource = new WeakMap<Source, Set<() => void>>();
  return (source) => {
    const known = bySource.get(source);
    if (known) return known;
    const made = new Set<() => void>();
    bySource.set(source, made);
    listen(source, () => {
      for (const call of [...made]) call();
    });
    return made;
  };
}
