import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows a server's connections; gives what, called again and again, closes those that have sent no byte since the call
 * before. Browsers open some in reserve, and Node.js counts a connection as busy until its first request.
 */
export function followUnused(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  let unused: readonly Socket[] = [];
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    unused = [...open].filter(({ bytesRead }) => bytesRead === 0);
  };
}
