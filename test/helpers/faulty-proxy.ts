import { connect, createServer, type Socket } from 'node:net';
import { parseDatabaseAddress, writeHost } from '../../src/base/database-address.js';

/** How a proxy forwards data. */
export type Way =
  /** All data arrives. */
  | 'open'
  /** Connections are accepted, but neither bytes nor ends of connections arrive. */
  | 'hanging'
  /** Like hanging, but only from the server to the client. */
  | 'one-way'
  /** Data arrives a few bytes at a time. */
  | 'slow'
  /** New connections are closed immediately, as by a proxy without a server behind it. */
  | 'closing';

/** A proxy to a server on this machine that simulates network failures. */
export interface FaultyProxy {
  /** The server's address through the proxy. */
  readonly url: string;
  readonly port: number;
  /** Sets the behaviour from now on. Hanging connections remain so, with the data that they held back. */
  become(way: Way): void;
  /** Resets every connection. */
  reset(): void;
  /** Ends every connection from the server's side, after which the client may still write. */
  halfClose(): void;
  /** Ends every connection in the middle of the server's next message. */
  breakMessages(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  isBreaking: boolean;
}

/** Time between the pieces of a slow connection, in milliseconds. */
const slowness = 2;
const slowBytes = 64;

export async function startFaultyProxy(address: string): Promise<FaultyProxy> {
  const { protocol, user, password, hosts, path } = parseDatabaseAddress(address);
  const [target] = hosts;
  if (!target) throw new Error('The address contains no host.');
  let way: Way = 'open';
  const pairs = new Set<Pair>();

  function pass(pair: Pair, from: Socket, to: Socket, bytes: Buffer): void {
    if (way === 'hanging' || (way === 'one-way' && from === pair.far)) {
      // The data is never forwarded, so the other end has to detect that.
      from.pause();
      return;
    }
    if (pair.isBreaking && from === pair.far) {
      to.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => to.destroy());
      from.destroy();
      return;
    }
    if (way === 'slow') void trickle(from, to, bytes);
    else to.write(bytes);
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (way === 'closing') return void near.destroy();
    const far = connect({ port: target.port ?? 5432, host: target.host, allowHalfOpen: true });
    const pair: Pair = { near, far, isBreaking: false };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => pass(pair, from, to, bytes));
      from.on('end', () => way !== 'hanging' && to.end());
      from.on('error', () => way !== 'hanging' && to.destroy());
      from.on('close', () => {
        if (way !== 'hanging') to.destroy();
        if (near.destroyed && far.destroyed) pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('It has no port.');
  const { port } = listening;
  const reset = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    url: `${protocol}//${user}:${password}@${writeHost('127.0.0.1', port)}${path}`,
    port,
    become(next) {
      way = next;
    },
    reset,
    halfClose() {
      for (const { near } of pairs) near.end();
    },
    breakMessages() {
      for (const pair of pairs) pair.isBreaking = true;
    },
    close() {
      reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function trickle(from: Socket, to: Socket, bytes: Buffer): Promise<void> {
  from.pause();
  for (let start = 0; start < bytes.length && !to.destroyed; start += slowBytes) {
    to.write(bytes.subarray(start, start + slowBytes));
    await new Promise((resolve) => setTimeout(resolve, slowness));
  }
  from.resume();
}
