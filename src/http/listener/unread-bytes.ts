import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds what lies in memory for all clients that read slowly or not at all. Beyond `limit` bytes the
 * connections go whose answers have lain unread the longest: those who read their answers never wait
 * that long. Answers that the kernel takes at once, nearly all of them, cost nothing here.
 */
export function boundUnread(server: Server, limit: number): void {
  const unread = new Map<Socket, number>();
  let total = 0;

  function remember(socket: Socket): void {
    const bytes = socket.writableLength;
    const forget = () => {
      socket.off('drain', forget).off('close', forget);
      unread.delete(socket);
      total -= bytes;
    };
    socket.once('drain', forget).once('close', forget);
    unread.set(socket, bytes);
    total += bytes;
  }

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Emitted when the whole answer has been handed to the socket; `finish` comes when it is out.
    response.once('prefinish', () => {
      if (!socket.writableNeedDrain || unread.has(socket)) return;
      remember(socket);
      let excess = total - limit;
      for (const [other, bytes] of unread) {
        if (excess <= 0 || other === socket) return;
        other.resetAndDestroy();
        excess -= bytes;
      }
    });
  });
}
