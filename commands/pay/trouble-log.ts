import { type Logger, silentLog } from '../../src/base/log.js';
import type { CommandContext } from '../command.js';

/**
 * Calls `work` with a log that collects errors, and prints each error once as a warning at the end. Lines of JSON would
 * disrupt the live view, and the command itself reports everything else.
 */
export async function withTroubleLog<Result>(
  { output }: CommandContext,
  work: (log: Logger) => Promise<Result>,
): Promise<Result> {
  const troubles = new Set<string>();
  const log: Logger = {
    ...silentLog(),
    error(first: object | string, sentence?: string): void {
      troubles.add(typeof first === 'string' ? first : sentenceOf(first, sentence));
    },
  };
  try {
    return await work(log);
  } finally {
    for (const trouble of troubles) output.warn(trouble);
  }
}

function sentenceOf({ err }: { readonly err?: unknown }, sentence: string | undefined): string {
  return [sentence, messageOf(err)].filter(Boolean).join(' ');
}

/** Returns the message of an error and the messages of its causes, as in a server's log. */
function messageOf(error: unknown, seen: readonly unknown[] = []): string {
  if (!(error instanceof Error)) return error === undefined ? '' : String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  if (seen.includes(error)) return `${message}: ...`;
  return `${message}: ${messageOf(cause, [...seen, error])}`;
}
