import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The destination of log lines: a stream of this process, such as stderr. */
export type LogDestination = Writable & { readonly fd: number };

/** Maximum number of log lines that are buffered for a stalled reader. Further lines are dropped and counted. @bound */
const maxHeld = 1_000;

/** Time for which closing waits for a stalled reader, in milliseconds. */
const closeGrace = 1_000;

export type LogStream = ReturnType<typeof openLogStream>;

/**
 * Writes lines to a stream of this process and never blocks the process. If the reader stalls or closes, or the disk is
 * full, lines are dropped and requests continue. `droppedLine` returns the line that reports the number of dropped
 * lines.
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

  /** Writes bytes, and buffers those that could not be written. */
  function take(bytes: Buffer, lines: number): void {
    const written = held.length > 0 ? 0 : send(bytes);
    if (written === bytes.length) return;
    // The rest of a partially written line is never dropped.
    if (written === 0 && heldLines + lines > maxHeld) {
      dropped += lines;
      return;
    }
    held.push({ bytes: bytes.subarray(written), lines });
    heldLines += lines;
  }

  return {
    /** Writes complete lines now, or as soon as earlier lines are written. Never blocks or throws. */
    write(text: string, lines: number): void {
      flush();
      take(Buffer.from(text), lines);
    },
    /** Retries writing buffered lines. */
    flush,
    /** Waits up to a second for buffered lines to be written. */
    async close(): Promise<void> {
      const isWritten = () => held.length === 0 && destination.writableLength === 0;
      for (let waited = 0; waited < closeGrace && !isWritten(); waited += 20) {
        await delay(20);
        flush();
      }
    },
  };
}

/**
 * Returns a function that writes bytes immediately and returns how many it wrote. It calls `onTaken` when it can write
 * more.
 */
function senderTo(destination: LogDestination, onTaken: () => void): (bytes: Buffer) => number {
  // The reader has closed the stream; its lines are lost.
  destination.on('error', () => {});
  const status = fstatSync(destination.fd);
  // Writes to a pipe or socket go to the system immediately. They wait in the stream only if the reader is slow.
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
