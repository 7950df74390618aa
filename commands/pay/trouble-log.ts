import { Writable } from 'node:stream';
import { type Logger, openLog } from '../../src/base/log.js';
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
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      troubles.add(sentenceOf(line.toString('utf8')));
      done();
    },
  });
  const { log } = await openLog({ destination, pretty: false, level: 'error' });
  try {
    return await work(log);
  } finally {
    for (const trouble of troubles) output.warn(trouble);
  }
}

function sentenceOf(line: string): string {
  const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }; // pino wrote it.
  return [msg, err?.message].filter(Boolean).join(' ');
}
