import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Where log lines go: a stream of this process, such as stderr. */
export type LogDestination = Writable & { readonly fd: number };

/** The most log lines that are held for a reader that does not read; further ones are dropped and counted. @bound */
const maxHeld = 1_000;

/** Milliseconds that closing waits for that reader. */
const closeGrace = 1_000;

export type LogStream = ReturnType<typeof openLogStream>;

/**
 * Writes lines to a stream of this process without ever blocking the process. A stalled or closed reader and a full disk
 * cost lines, not requests. `droppedLine` returns the line that reports how many were dropped.
 */
export function openLogStream(destination: LogDestination, droppedLine: (count: number) => string) {
  const send = senderTo(destination, flush);
  let held: { readonly bytes: Buffer; readonly lines: number }[] = [];
  let heldLines = 0;
  let dropped = 0;

  function flush(): void {
    if (held.length === 0 && dropped === 0) return;
    const waiting = held;
    held = [];
    heldLines = 0;
    for (const { bytes, lines } of waiting) take(bytes, lines);
    if (dropped === 0 || held.length > 0) return;
    const report = Buffer.from(droppedLine(dropped));
    dropped = 0;
    take(report, 1);
  }

  /** Writes bytes, and holds the rest that could not be written. */
  function take(bytes: Buffer, lines: number): void {
    const written = held.length > 0 ? 0 : send(bytes);
    if (written === bytes.length) return;
    // The rest of a partly written line is never dropped.
    if (written === 0 && heldLines + lines > maxHeld) {
      dropped += lines;
      return;
    }
    held.push({ bytes: bytes.subarray(written), lines });
    heldLines += lines;
  }

  return {
    /** Writes complete lines now, or as soon as the lines before them are written; never blocks and never throws. */
    write(text: string, lines: number): void {
      flush();
      take(Buffer.from(text), lines);
    },
    /** Retries writing held lines. */
    flush,
    /** Waits at most a second until held lines are written. */
    async close(): Promise<void> {
      const isWritten = () => held.length === 0 && destination.writableLength === 0;
      for (let waited = 0; waited < closeGrace && !isWritten(); waited += 20) {
        await delay(20);
        flush();
      }
    },
  };
}

/** Returns a function that writes bytes at once and returns how many it wrote. It calls `onTaken` when it can write more. */
function senderTo(destination: LogDestination, onTaken: () => void): (bytes: Buffer) => number {
  // Reports a closed reader; its lines are lost.
  destination.on('error', () => {});
  const status = fstatSync(destination.fd);
  // Writes to a pipe or socket go to the system at once, and wait in the stream only if the reader is behind.
  if (status.isFIFO() || status.isSocket()) {
    return (bytes) => {
      if (destination.writableLength > 0) return 0;
      destination.write(bytes, onTaken);
      return bytes.length;
    };
  }
  return (bytes) => {
    try {
      return writeSync(destination.fd, bytes);
    } catch {
      return 0;
    }
  };
}
