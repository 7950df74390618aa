import { Writable } from 'node:stream';
import { type Logger, openLog } from '../../src/base/log.js';

export interface TroubleLog {
  readonly log: Logger;
  /** What was logged as an error, in sentences, each once. */
  readonly troubles: ReadonlySet<string>;
}

/**
 * A log that gathers errors to be told when the screen is free: the till itself says what a cashier has
 * to know, and lines of JSON would tear the live view.
 */
export async function openTroubleLog(): Promise<TroubleLog> {
  const troubles = new Set<string>();
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      troubles.add(sentenceOf(line.toString('utf8')));
      done();
    },
  });
  const { log } = await openLog({ destination, pretty: false, level: 'error' });
  return { log, troubles };
}

function sentenceOf(line: string): string {
  const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }; // pino wrote it.
  return [msg, err?.message].filter(Boolean).join(' ');
}
