import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Handles the requests of one connection one after another, and none while an answer before it lies
 * unread. A client may send hundreds of requests at once (pipelining, RFC 9112 section 9.3.2); handled at
 * once, as Node.js does, every answer would wait in memory for a client that reads none of them.
 * Clients that await their answers are handled at once.
 */
export function inTurn(handle: RequestListener): RequestListener {
  return function handleInTurn(request, response) {
    if (isItsTurn(request, response)) handle(request, response);
    else waitForTurn(request, response).then((isHere) => isHere && handle(request, response));
  };
}

/** A response without a socket stands behind another one of its connection. */
function isItsTurn({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return response.socket !== null && !socket.writableNeedDrain;
}

async function waitForTurn(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { socket } = request;
  const closed = new AbortController();
  const { signal } = closed;
  const close = () => closed.abort();
  socket.once('close', close);
  try {
    if (response.socket === null) await once(response, 'socket', { signal });
    if (socket.writableNeedDrain) await once(socket, 'drain', { signal });
    return true;
  } catch {
    // The client has gone: nobody is there for an answer.
    return false;
  } finally {
    socket.off('close', close);
  }
}
