import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import type { CompletionCommand } from './words.js';
import { zshScript } from './zsh.js';

/** Shells that there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/**
 * The script that completes these commands, their flags and the values of both. All three walk the words alike:
 * names lead to a command, flags take their values, the rest are arguments; then what fits there is offered.
 */
export function completionScript(shell: Shell, commands: readonly CompletionCommand[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}
