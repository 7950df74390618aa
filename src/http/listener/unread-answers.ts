import { once } from 'node:events';
import { readFile, readlink } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.js';
import { every } from '../../base/every.js';

/** Number of checks of a stalled connection before it is closed. */
const checks = 10;

/** The observed progress of a connection with a response that has not been sent completely. */
interface Progress {
  /** Total number of bytes that the kernel has accepted. */
  taken: number;
  /** Bytes in the kernel's queue, if known. Read only if the kernel has accepted no bytes since the last check. */
  kept?: number | undefined;
  /** Number of checks since the last progress. */
  quiet: number;
  /** Bytes sent since the connection last stalled; undefined before the first stall. */
  step?: number;
}

/**
 * Speed of the slowest accepted reader, in bytes per second. The system frees its buffer in steps of 100 KB or more, so
 * a client that reads 4 KB per second shows no progress for half a minute.
 */
const slowestReader = 1024;

/** Maximum factor by which the time for a client's next step is extended after its first step. */
const maxPatience = 10;

export interface UnreadOptions {
  /** The open connections of the server. */
  readonly open: ReadonlySet<Socket>;
  readonly clock: Clock;
  /** Time within which a client must read at least one byte of a waiting response, in milliseconds. */
  readonly patience: number;
  /** Stops the checks. */
  readonly signal: AbortSignal;
}

/**
 * Disconnects clients that do not read their responses, which would stay in memory. A client stays connected if it
 * makes any progress in time, however slow, or has no response to read.
 */
export async function cutUnread(server: Server, options: UnreadOptions): Promise<void> {
  const { open, clock, patience, signal } = options;
  const unread = new Map<Socket, Progress>();
  const check = async () => {
    if (open.size === 0) await once(server, 'connection', { signal }).catch(() => {});
    const stalled: [Socket, Progress][] = [];
    for (const socket of open) {
      const taken = bytesTaken(socket);
      const known = unread.get(socket);
      if (socket.writableLength === 0) unread.delete(socket);
      else if (!known) unread.set(socket, { taken, quiet: 0 });
      else if (known.taken === taken) stalled.push([socket, known]);
      else {
        note(known, taken - known.taken);
        Object.assign(known, { taken, kept: undefined });
      }
    }
    const queues = await readKernelQueues(stalled.map(([socket]) => socket));
    for (const [socket, known] of stalled) {
      // If the kernel's queue has changed, the client has read something.
      const kept = queues.get(socket) ?? known.kept;
      note(known, Math.abs((kept ?? 0) - (known.kept ?? kept ?? 0)));
      known.kept = kept;
    }
    for (const [socket, { quiet, step }] of unread) {
      if (quiet >= checksFor(patience, step)) socket.resetAndDestroy();
      if (socket.destroyed) unread.delete(socket);
    }
  };
  await every(patience / checks, check, { clock, signal });
}

/**
 * Records the bytes sent since the last check. Bytes sent before the first stall are not a step, because they only fill
 * the buffers of both systems.
 */
function note(progress: Progress, moved: number): void {
  if (moved === 0) {
    progress.quiet += 1;
    return;
  }
  if (progress.quiet > 0) progress.step = moved;
  else if (progress.step !== undefined) progress.step += moved;
  progress.quiet = 0;
}

/**
 * Returns the number of checks within which a client must make its next step. It is the number that the slowest
 * accepted reader would need for the last step.
 */
function checksFor(patience: number, step = 0): number {
  const reading = (step / slowestReader) * 1000;
  const needed = Math.ceil(reading / (patience / checks));
  return Math.min(maxPatience * checks, Math.max(checks, needed));
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/**
 * Returns the number of bytes that have left this process. Node.js counts the bytes handed to the socket. Only the
 * socket's handle reports how many of them are still waiting (`writeQueueSize`, which Node.js uses for its own
 * time-outs).
 */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  if (!handle) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}

/**
 * Returns the unacknowledged bytes in the kernel's queues, by socket. The kernel buffers some megabytes of a response
 * and accepts more only after sending a large part of them, so nothing else shows that a slow client is reading.
 * Available only on Linux; on other systems, the map is empty.
 */
async function readKernelQueues(sockets: readonly Socket[]): Promise<ReadonlyMap<Socket, number>> {
  if (sockets.length === 0) return new Map();
  const [sizes, inodes] = await Promise.all([readSizes(), Promise.all(sockets.map(inodeOf))]);
  const queues = new Map<Socket, number>();
  for (const [index, socket] of sockets.entries()) {
    const size = sizes.get(inodes[index] ?? '');
    if (size !== undefined) queues.set(socket, size);
  }
  return queues;
}

/** Returns the unacknowledged bytes of this machine's connections, by inode (proc(5)). */
async function readSizes(): Promise<ReadonlyMap<string, number>> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(readTable));
  const rows = tables.flatMap((table) => table.split('\n').slice(1));
  return new Map(
    rows.map((row) => {
      const [, , , , queues = '', , , , , inode = ''] = row.trim().split(/\s+/);
      return [inode, Number.parseInt(queues, 16)] as const;
    }),
  );
}

function readTable(name: string): Promise<string> {
  return readFile(`/proc/self/net/${name}`, 'utf8').catch(() => '');
}

async function inodeOf(socket: Socket): Promise<string | undefined> {
  const { fd } = (socket as { readonly _handle?: { readonly fd?: number } | null })._handle ?? {};
  if (fd === undefined || fd < 0) return undefined;
  const link = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
  return /^socket:\[(\d+)\]$/.exec(link)?.[1];
}

/**
 * Limits the memory that unread responses of all clients occupy. Above `limit` bytes, the connections with the oldest
 * unread responses are closed. Responses that the kernel accepts immediately, which is nearly all of them, are not
 * tracked.
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
    // Emitted when the whole response has been handed to the socket. `finish` follows when it has been sent.
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
