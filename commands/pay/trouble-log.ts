import { type Logger, silentLog } from '../../src/base/log.js';
import type { CommandContext } from '../command.js';

/**
 * Does `work` with a log that gathers errors to be told when the screen is free, each once: the command
 * itself says what a cashier has to know, and lines of JSON would tear the live view.
 */
export async function withTroubleLog<Result>(
  { output }: CommandContext,
  work: (log: Logger) => Promise<Result>,
): Promise<Result> {
  const troubles = new Set<string>();
  function error(first: object | string, sentence?: string): void {
    troubles.add(typeof first === 'string' ? first : sentenceOf(first, sentence));
  }
  try {
    return await work({ ...silentLog(), error });
  } finally {
    for (const trouble of troubles) output.warn(trouble);
  }
}

function sentenceOf({ err }: { readonly err?: unknown }, sentence: string | undefined): string {
  return [sentence, messageOf(err)].filter(Boolean).join(' ');
}

/** The message of an error with those of its causes, as the log of a server has it. */
function messageOf(error: unknown, seen: readonly unknown[] = []): string {
  if (!(error instanceof Error)) return error === undefined ? '' : String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  if (seen.includes(error)) return `${message}: ...`;
  return `${message}: ${messageOf(cause, [...seen, error])}`;
}
