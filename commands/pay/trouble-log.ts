import { type Logger, silentLog } from '../../src/base/log.js';
import type { CommandContext } from '../command.js';

/**
 * A log that gathers errors, each once, and reports them when the screen is free: the command itself says what a cashier has to
 * know, and lines of JSON would tear the live view.
 */
export function createTroubleLog({ output }: CommandContext) {
  const troubles = new Set<string>();
  const log: Logger = {
    ...silentLog(),
    error(first: object | string, sentence?: string): void {
      troubles.add(typeof first === 'string' ? first : sentenceOf(first, sentence));
    },
  };
  return {
    log,
    tell(): void {
      for (const trouble of troubles) output.warn(trouble);
    },
  };
}

/** Does `work` with such a log, and tells what it has gathered. */
export async function withTroubleLog<Result>(
  context: CommandContext,
  work: (log: Logger) => Promise<Result>,
): Promise<Result> {
  const { log, tell } = createTroubleLog(context);
  try {
    return await work(log);
  } finally {
    tell();
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
