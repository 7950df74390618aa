import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait for their turn; each takes some 4 KB. */
const mostWaiting = {
  /** The most requests of one connection that wait before no more is read of it. */
  ofOne: 1000,
  /** The most requests of one connection that wait if they came in one piece (64 KB hold 2,500 of the shortest). */
  ofOneAtOnce: 4000,
  /** The most requests of all connections that wait. */
  inAll: 20_000,
} as const;

/**
 * Handles the requests of one connection one after another, and none while an answer before it lies
 * unread. A client may send hundreds of requests at once (pipelining, RFC 9112 section 9.3.2); handled at
 * once, as Node.js does, every answer would wait in memory for a client that reads none of them.
 * Clients that await their answers are handled at once; of one that sends many ahead no more is read until
 * it has had answers.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new Map<Socket, number>();
  let total = 0;

  /** Counts a request that waits; false where too many do. */
  function enter(socket: Socket): boolean {
    const ahead = waiting.get(socket);
    const { ofOne, ofOneAtOnce, inAll } = mostWaiting;
    if (socket.destroyed || (ahead ?? 0) >= ofOneAtOnce || total >= inAll) return false;
    if (ahead === ofOne) socket.pause();
    if (ahead === undefined) {
      socket.once('close', () => {
        total -= waiting.get(socket) ?? 0;
        waiting.delete(socket);
      });
    }
    change(socket, 1);
    return true;
  }

  function leave(socket: Socket): void {
    // Once the connection has closed, nothing of it is counted any more.
    if (!waiting.has(socket)) return;
    change(socket, -1);
    if (waiting.get(socket) === mostWaiting.ofOne / 2 && socket.isPaused()) socket.resume();
  }

  function change(socket: Socket, by: number): void {
    waiting.set(socket, (waiting.get(socket) ?? 0) + by);
    total += by;
  }

  return function handleInOrder(request, response) {
    const { socket } = request;
    // A response without a socket stands behind another one of its connection.
    const isFirst = response.socket !== null;
    if (isFirst && !socket.writableNeedDrain) handle(request, response);
    else if (enter(socket)) {
      const go = () => {
        leave(socket);
        handle(request, response);
      };
      // Where the client goes before, neither event comes, and nothing is left of the request.
      if (isFirst) whenRead(socket, go);
      else response.once('socket', () => whenRead(socket, go));
    } else socket.resetAndDestroy();
  };
}

/** Calls `go` when the client has taken the answers that it has had. */
function whenRead(socket: Socket, go: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', go);
  else go();
}
