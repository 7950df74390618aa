import type { Readable, Writable } from 'node:stream';
import type { RenderOptions } from 'ink';

export type InputStream = Readable & { readonly isTTY?: boolean };

/** A stream that may be a terminal with a size. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the size of a terminal, or 80 × 24 if it is unknown. */
export function sizeOf({ columns, rows }: OutputStream): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 };
}

/** Returns ink's options for these streams. The program handles Ctrl+C and the console itself. */
export function inkStreams(stdin: Readable, terminal: Writable): RenderOptions {
  return {
    // ink is typed for process streams, but uses only properties that these streams have.
    stdin: stdin as NodeJS.ReadStream,
    stdout: terminal as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    // Screens change rarely, so ink does not have to delay frames.
    maxFps: 1000,
  };
}

/** Returns true if the input contains Ctrl+C. On a busy machine, several keys may arrive together. */
export function containsInterrupt(keys: string): boolean {
  return keys.includes('\u0003');
}
