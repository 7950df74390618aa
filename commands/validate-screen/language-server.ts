import { exitCodes } from '../../src/base/errors.js';
import { serveEditor } from '../../src/screens/language-server/server.js';
import type { CommandContext } from '../command.js';

/** Serves an editor over the standard streams; nothing but the protocol is written to them. */
export async function serveLanguage(
  { stdin, stdout, clock, signal }: CommandContext,
  mostBytes: number,
): Promise<number> {
  const options = { input: stdin, output: stdout, clock, signal, mostBytes };
  return (await serveEditor(options)) ?? exitCodes.interrupted;
}
