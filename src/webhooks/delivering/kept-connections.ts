import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.js';

/** Maximum time for which an idle connection to a receiver is reused, in milliseconds. */
const maxIdle = 4_000;
/** Time before the end of a receiver's idle time-out when a connection is no longer used, in milliseconds. */
const margin = 1_000;
/** Maximum number of idle connections to one receiver. */
const maxIdleConnections = 64;

/**
 * Returns how long a connection may be idle before its next use, in milliseconds: at most 4 s, and less than the
 * receiver's time-out (`Keep-Alive: timeout=N`). 0 means that the connection is not reused.
 */
export function idleTimeOf(keepAlive: string): number {
  const [, seconds] = /(?:^|[,;])\s*timeout\s*=\s*(\d+)/i.exec(keepAlive) ?? [];
  if (seconds === undefined) return maxIdle;
  const timeout = Number(seconds) * 1000;
  return Math.min(maxIdle, Math.max(timeout - margin, timeout / 2));
}

/** Returns agents that keep connections only while receivers certainly keep them, and check each one before its use. */
export function createKeptConnections(clock: Clock) {
  /** The idle time according to the latest response, and the time until which an idle connection may be used. */
  const idleTimes = new WeakMap<Socket, number>();
  const usableUntil = new WeakMap<Socket, number>();

  function keeping<Made extends HttpAgent>(agent: Made): Made {
    const { keepSocketAlive, reuseSocket } = HttpAgent.prototype;
    agent.keepSocketAlive = (socket: Socket) => {
      const idle = idleTimes.get(socket) ?? maxIdle;
      usableUntil.set(socket, clock.monotonic() + idle);
      keepSocketAlive.call(agent, socket);
      // The agent destroys an idle connection at its time-out.
      socket.setTimeout(idle);
      return idle > 0;
    };
    agent.reuseSocket = (socket: Socket, request) => {
      reuseSocket.call(agent, socket, request);
      const hasExpired = clock.monotonic() >= (usableUntil.get(socket) ?? 0);
      // Bytes that arrived on an idle connection are not a response. Nothing is written to a destroyed socket.
      if (hasExpired || socket.readableLength > 0) socket.destroy();
    };
    return agent;
  }

  const options = {
    keepAlive: true,
    maxFreeSockets: maxIdleConnections,
    timeout: maxIdle,
    scheduling: 'lifo' as const,
  };
  const http = keeping(new HttpAgent(options));
  const https = keeping(new HttpsAgent(options));
  return {
    http,
    https,
    /** Records how long the receiver keeps the connection of a response. */
    note({ headers, socket }: IncomingMessage): void {
      idleTimes.set(socket, idleTimeOf([headers['keep-alive']].flat().join(',')));
    },
    close(): void {
      http.destroy();
      https.destroy();
    },
  };
}
