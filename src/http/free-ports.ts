import { createServer } from 'node:net';
import { listenError } from './listener.js';

/**
 * Throws as `openListener` would where a port is taken or not allowed, so that a start that cannot succeed
 * leaves nothing behind. 0 means any free port: the host alone is tried.
 */
export async function assertPortsFree(host: string, ports: readonly number[]): Promise<void> {
  for (const port of new Set(ports)) await tryPort(host, port);
}

function tryPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause) => reject(listenError(cause, host, port)));
    server.listen({ host, port }, () => server.close(() => resolve()));
  });
}
