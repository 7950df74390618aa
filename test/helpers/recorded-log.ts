import { Writable } from 'node:stream';
import type { Logger } from '../../src/base/log.js';
import { openLog } from '../../src/base/open-log.js';

/** A line of the log, with its fields. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly msg: string;
  readonly [fact: string]: unknown;
}

const levels: Readonly<Record<number, LogLine['level']>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};

/** Opens a log that adds its lines to `lines`. */
export async function openRecordedLog(
  lines: LogLine[] = [],
): Promise<{ log: Logger; lines: LogLine[] }> {
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      const { level, msg, ...facts } = JSON.parse(line.toString('utf8')); // pino wrote it.
      lines.push({ ...facts, msg, level: levels[level] ?? 'error' });
      done();
    },
  });
  const { log } = await openLog({ destination, pretty: false, level: 'debug' });
  return { log, lines };
}
