import { isCi } from '../src/terminal/capabilities.js';
import type { Terminal } from '../src/terminal/question.js';
import type { CommandContext } from './command.js';

/** Returns the terminal for questions; undefined if nobody could answer there. */
export function questioner(context: CommandContext): Terminal | undefined {
  const { interactive, stdin, stderr, signal, output, env } = context;
  if (!interactive || output.json || isCi(env)) return undefined;
  const { plain, screenColors } = output;
  return { stdin, stderr, signal, colors: screenColors.stderr, plain };
}
