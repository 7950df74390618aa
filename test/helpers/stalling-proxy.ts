import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can stand still, as a server does that hangs. */
export interface StallingProxy {
  /** The address, by way of the proxy. */
  readonly url: string;
  /** From now on nothing comes through, in either direction; connections are taken as before. */
  stall(): void;
  /** What has waited comes through. */
  goOn(): void;
  close(): Promise<void>;
}

/** Puts itself between a client and the server of an address such as `postgres://user@127.0.0.1:5432/name`. */
export async function startStallingProxy(address: string): Promise<StallingProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isStalled = false;
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
      socket.on('data', (bytes) => other.write(bytes));
      if (isStalled) socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('It has no port.');
  const url = new URL(address);
  url.host = `127.0.0.1:${listening.port}`;
  return {
    url: url.href,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
