import type { Writable } from 'node:stream';
import type { Command, CommandInput } from './command.js';

/** Either the words were answered already (help, version), or there is a command to run. */
export type ParsedCall =
  | { readonly kind: 'answered'; readonly exitCode: number }
  | { readonly kind: 'command'; readonly command: Command; readonly input: CommandInput };

/** Where help and the version are printed. */
export interface Streams {
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable & { readonly columns?: number };
}
