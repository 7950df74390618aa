import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { shareListener } from './shared-listener.js';

const onClosed = shareListener<Socket>((socket, call) => socket.once('close', call));

/**
 * Calls `listener` once: when the answer was sent (the system has taken its last byte) or its connection
 * has closed, whichever is first. Of requests that wait behind others on one connection, Node.js closes
 * only the first answer with it, so the connection is listened to as well.
 */
export function whenAnswered(
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
