import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Where log lines go: a stream of this process, such as stderr. */
export type LogDestination = Writable & { readonly fd: number };

/** The most lines that are held for a reader that takes none; further lines are dropped and counted. @bound */
const mostHeld = 1_000;

/** How long the end waits for that reader, in milliseconds. */
const closeGrace = 1_000;

export type LogStream = ReturnType<typeof openLogStream>;

/**
 * Writes lines to a stream of this process without ever blocking it. A stalled reader, a reader that has gone and a full
 * disk cost lines, not requests. `droppedLine` returns the line that reports how many were dropped.
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

  /** Writes bytes, or holds what is left of them. */
  function take(bytes: Buffer, lines: number): void {
    const written = held.length > 0 ? 0 : send(bytes);
    if (written === bytes.length) return;
    // The rest of a line that was begun is never dropped.
    if (written === 0 && heldLines + lines > mostHeld) {
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
    /** Tries again to write what is held. */
    flush,
    /** Waits a second at most for what is held. */
    async close(): Promise<void> {
      const isWritten = () => held.length === 0 && destination.writableLength === 0;
      for (let waited = 0; waited < closeGrace && !isWritten(); waited += 20) {
        await delay(20);
        flush();
      }
    },
  };
}

/** Returns a function that writes bytes at once and returns how many it has taken. `onTaken`: called when it takes more. */
function senderTo(destination: LogDestination, onTaken: () => void): (bytes: Buffer) => number {
  // A reader that has gone is reported here; its lines are lost.
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
