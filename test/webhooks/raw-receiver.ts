import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a raw receiver handles a request. Positions are in bytes. */
export interface RawPlan {
  /** Resets the connection after this many bytes of the request. By default, the receiver responds to the request. */
  readonly resetAfter?: number;
  /** Resets the connection after this many bytes of the response. */
  readonly answerBytes?: number;
  /** Resets the connection immediately after the response, before the next request. */
  readonly resetIdle?: boolean;
}

const ok = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nok';
export const answerLength = ok.length;

/**
 * Starts a TCP server with minimal HTTP that counts every request of which it has received a byte.
 * `planFor` is called at the first byte of a request, with its number on the connection (from 1).
 */
export async function startRawReceiver(planFor: (onConnection: number) => RawPlan) {
  let requests = 0;
  let connections = 0;
  /** Size of the latest complete request, in bytes. */
  let requestLength = 0;
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let onConnection = 0;
    let plan: RawPlan | undefined;
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!plan) {
        requests += 1;
        onConnection += 1;
        plan = planFor(onConnection);
      }
      if (plan.resetAfter !== undefined && bytes.length >= plan.resetAfter) {
        socket.resetAndDestroy();
        return;
      }
      const head = bytes.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1'))?.[1]);
      if (head < 0 || bytes.length < head + 4 + length) return;
      requestLength = bytes.length;
      bytes = Buffer.alloc(0);
      const { answerBytes = ok.length, resetIdle } = plan;
      const isCut = answerBytes < ok.length || resetIdle === true;
      plan = undefined;
      socket.write(ok.slice(0, answerBytes), () => {
        // Waits until the response is sent, because a reset discards unsent data.
        if (isCut) setTimeout(() => socket.resetAndDestroy(), 2);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    get requests() {
      return requests;
    },
    get connections() {
      return connections;
    },
    get requestLength() {
      return requestLength;
    },
  };
}
