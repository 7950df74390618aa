import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.js';

/** Milliseconds for which an idle connection to a receiver is reused. */
const longestIdle = 4_000;
/** How long before a receiver's own time is over a connection is no longer used, in milliseconds. */
const margin = 1_000;
/** The most idle connections kept to one receiver. */
const mostIdle = 64;

/**
 * How long a connection may be idle before its next use, in milliseconds: 4 s at most, and less than the time
 * that the receiver names (`Keep-Alive: timeout=N`). 0: not at all.
 */
export function idleTimeOf(keepAlive: string): number {
  const [, seconds] = /(?:^|[,;])\s*timeout\s*=\s*(\d+)/i.exec(keepAlive) ?? [];
  if (seconds === undefined) return longestIdle;
  const own = Number(seconds) * 1000;
  return Math.min(longestIdle, Math.max(own - margin, own / 2));
}

/** Keeps connections for so long as they are sure to be of use; each is checked again when it is used. */
export function createKeptConnections(clock: Clock) {
  /** How long a connection may be idle by its latest answer, and until when one that is idle may be used. */
  const idleTimes = new WeakMap<Socket, number>();
  const usableUntil = new WeakMap<Socket, number>();

  function keeping<Made extends HttpAgent>(agent: Made): Made {
    const { keepSocketAlive, reuseSocket } = HttpAgent.prototype;
    agent.keepSocketAlive = (socket: Socket) => {
      const idle = idleTimes.get(socket) ?? longestIdle;
      usableUntil.set(socket, clock.monotonic() + idle);
      keepSocketAlive.call(agent, socket);
      // The agent destroys what is idle when its time is over.
      socket.setTimeout(idle);
      return idle > 0;
    };
    agent.reuseSocket = (socket: Socket, request) => {
      reuseSocket.call(agent, socket, request);
      const isOver = clock.monotonic() >= (usableUntil.get(socket) ?? 0);
      // What an idle connection has sent is not the answer to this request. Nothing is written then.
      if (isOver || socket.readableLength > 0) socket.destroy();
    };
    return agent;
  }

  const options = {
    keepAlive: true,
    maxFreeSockets: mostIdle,
    timeout: longestIdle,
    scheduling: 'lifo' as const,
  };
  const http = keeping(new HttpAgent(options));
  const https = keeping(new HttpsAgent(options));
  return {
    http,
    https,
    /** Takes note of how long the receiver keeps the connection of this answer. */
    note({ headers, socket }: IncomingMessage): void {
      idleTimes.set(socket, idleTimeOf([headers['keep-alive']].flat().join(',')));
    },
    close(): void {
      http.destroy();
      https.destroy();
    },
  };
}
