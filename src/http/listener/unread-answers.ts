import { once } from 'node:events';
import { readFile, readlink } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.js';
import { every } from '../../base/every.js';

/** How many times a stalled connection is checked until it is cut off. */
const checks = 10;

/** What has been seen of a connection whose answer is not all out. */
interface Progress {
  /** Bytes that the kernel has taken, ever. */
  taken: number;
  /** Bytes that it keeps, where it says so; asked for where it has taken none since the last check. */
  kept?: number | undefined;
  /** Checks since anything moved. */
  quiet: number;
  /** Bytes that have moved since it last stood still; undefined until it has. */
  step?: number;
}

/**
 * Bytes a second that a client takes at least while it reads. The system lets go of what it keeps in
 * steps of 100 KB and more: to a client that reads 4 KB a second nothing moves for half a minute.
 */
const slowestReader = 1024;

/** How many times longer than usual a client may take for its next step once it took one. */
const mostPatience = 10;

export interface UnreadOptions {
  /** The open connections of the server. */
  readonly open: ReadonlySet<Socket>;
  readonly clock: Clock;
  /** Milliseconds in which a client that has an answer to read takes at least a byte of it. */
  readonly patience: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * Cuts off clients that do not read: an answer that nobody takes stays in memory. A client that takes
 * anything at all in time stays, however slow it is; an idle connection has nothing to read.
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
      // Where the kernel keeps fewer bytes than before, or other ones, the client has taken some.
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
 * Notes how many bytes have moved since the last check. What goes out before a connection has stood still
 * for the first time is no step: it says only how much the two systems have room for.
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

/** How many checks a client has for the next step: those that reading the last one takes, at a slow pace. */
function checksFor(patience: number, step = 0): number {
  const reading = (step / slowestReader) * 1000;
  const needed = Math.ceil(reading / (patience / checks));
  return Math.min(mostPatience * checks, Math.max(checks, needed));
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/**
 * Bytes that have left this process. Node.js counts what was handed to the socket; what of it still
 * waits, only the socket's handle knows, whose `writeQueueSize` its own time-outs go by, too.
 */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  if (!handle) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}

/**
 * What the kernel still keeps for the clients of these sockets, in bytes: sent or not, but not
 * acknowledged. It keeps some megabytes of an answer and takes more only when a good part of them has
 * gone, so that this alone shows a client that reads slowly. Linux reports it; elsewhere the map is empty.
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

/** The connections of this machine: bytes that wait to be acknowledged, by inode (proc(5)). */
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
