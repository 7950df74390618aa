import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can be cut. */
export interface CuttingProxy {
  /** The address, by way of the proxy. */
  readonly url: string;
  /** Resets every connection that goes through it. */
  cut(): void;
  close(): Promise<void>;
}

/** Puts itself between a client and the server of an address such as `postgres://user@127.0.0.1:5432/name`. */
export async function startCuttingProxy(address: string): Promise<CuttingProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('It has no port.');
  const url = new URL(address);
  url.host = `127.0.0.1:${listening.port}`;
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut,
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
