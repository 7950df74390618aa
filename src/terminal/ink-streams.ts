import type { Readable, Writable } from 'node:stream';
import type { RenderOptions } from 'ink';

/** How ink is run everywhere: on these streams, leaving Ctrl+C and the console alone. */
export function inkStreams(stdin: Readable, terminal: Writable): RenderOptions {
  return {
    // ink asks for the process's own streams but uses no more than these have.
    stdin: stdin as NodeJS.ReadStream,
    stdout: terminal as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
  };
}
