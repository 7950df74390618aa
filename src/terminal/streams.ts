import type { Readable, Writable } from 'node:stream';
import type { RenderOptions } from 'ink';

/** What keys are typed into where it is a terminal. */
export type InputStream = Readable & { readonly isTTY?: boolean };

/** What may be a terminal, and then knows its size. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The size of a terminal; one that does not know it is taken for the classic one. */
export function sizeOf({ columns, rows }: OutputStream): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 };
}

/** How ink is run everywhere: on these streams, leaving Ctrl+C and the console alone. */
export function inkStreams(stdin: Readable, terminal: Writable): RenderOptions {
  return {
    // ink asks for the process's own streams but uses no more than these have.
    stdin: stdin as NodeJS.ReadStream,
    stdout: terminal as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    // Screens change when something happens, once a second at most: none of it has to wait for more to come.
    maxFps: 1000,
  };
}

/**
 * Whether Ctrl+C is among keys that came together: on a busy machine several come as one, behind an Esc too, and whoever
 * gives up is never taken for typing.
 */
export function holdsInterrupt(keys: string): boolean {
  return keys.includes('\u0003');
}
