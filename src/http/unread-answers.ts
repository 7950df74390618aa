import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import { readKernelQueues } from './kernel-queue.js';

/** How many times a stalled connection is checked until it is cut off. */
const checks = 10;

/** What has been seen of a connection whose answer is not all out. */
interface Progress {
  /** Bytes that the kernel has taken, ever. */
  readonly taken: number;
  /** Bytes that it keeps, where it says so; asked for when nothing has been taken for some checks. */
  readonly kept?: number;
  /** Checks since anything moved. */
  readonly quiet: number;
  /** Bytes that have moved since it last stood still; undefined until it has. */
  readonly step: number | undefined;
}

/**
 * Bytes a second that a client takes at least while it reads. The system lets go of what it keeps in
 * steps of 100 KB and more: to a client that reads 4 KB a second nothing moves for half a minute.
 */
const slowestReader = 1024;

/** A client that took a step has at most so many times the patience for the next one. */
const mostPatience = 10;

export interface UnreadOptions {
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
  const { clock, patience, signal } = options;
  const open = new Set<Socket>();
  const stalled = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      stalled.delete(socket);
    });
  });
  const check = async () => {
    if (open.size === 0) await once(server, 'connection', { signal }).catch(() => {});
    for (const socket of open) note(socket, stalled);
    await askKernel(stalled);
    for (const [socket, { quiet, step }] of stalled) {
      if (quiet >= looksFor(step, patience)) socket.resetAndDestroy();
    }
  };
  await every(patience / checks, check, { clock, signal });
}

function note(socket: Socket, stalled: Map<Socket, Progress>): void {
  if (socket.writableLength === 0) {
    stalled.delete(socket);
    return;
  }
  const taken = bytesTaken(socket);
  const known = stalled.get(socket);
  if (known?.taken === taken) stalled.set(socket, { ...known, quiet: known.quiet + 1 });
  else stalled.set(socket, { taken, quiet: 0, step: stepOf(known, taken - (known?.taken ?? 0)) });
}

/**
 * What has moved in one go. What goes out before a connection has stood still for the first time is none:
 * it says only how much the two systems have room for.
 */
function stepOf(known: Progress | undefined, moved: number): number | undefined {
  if (!known) return undefined;
  if (known.quiet > 0) return moved;
  return known.step === undefined ? undefined : known.step + moved;
}

/** How many checks a client has for the next step: those that reading the last one takes, at a slow pace. */
function looksFor(step: number | undefined, patience: number): number {
  const reading = ((step ?? 0) / slowestReader) * 1000;
  return Math.min(
    mostPatience * checks,
    Math.max(checks, Math.ceil(reading / (patience / checks))),
  );
}

/** Where the kernel keeps fewer bytes than before, or other ones, the client has taken some. */
async function askKernel(stalled: Map<Socket, Progress>): Promise<void> {
  const suspects = [...stalled.keys()].filter((socket) => (stalled.get(socket)?.quiet ?? 0) > 0);
  if (suspects.length === 0) return;
  for (const [socket, kept] of await readKernelQueues(suspects)) {
    const known = stalled.get(socket);
    if (!known) continue;
    const moved = known.kept === undefined ? 0 : Math.abs(known.kept - kept);
    // This check has been counted as a quiet one, which it is not where the kernel's part has moved.
    const before = { ...known, quiet: known.quiet - 1 };
    const progress = moved === 0 ? known : { ...before, quiet: 0, step: stepOf(before, moved) };
    stalled.set(socket, { ...progress, kept });
  }
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
