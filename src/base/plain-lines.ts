import type { Logger as Pino } from 'pino';
import type { Logger } from './log.js';

/** Text that stands in JSON, and shows on a terminal, as it is. */
const plainText = /^[ !#-[\]-~]*$/;

export interface PlainLineOptions {
  /** What the log writes to. */
  readonly stream: { write(line: string): unknown };
  /** The time of a line, as it stands in it. */
  timestamp(): string;
  /** Facts that must not stand in a line as they are. */
  readonly secretNames: ReadonlySet<string>;
}

/**
 * The same log, whose lines of plain facts, such as those of requests, are put together here: what pino does for a line
 * takes a tenth of answering a request. It writes all others.
 */
export function plainLines(log: Pino, options: PlainLineOptions): Logger {
  const { stream, timestamp, secretNames } = options;

  function plain(facts: object): string | undefined {
    let text = '';
    // What else than an object of facts is given, an error above all, is more than its own fields.
    if (facts.constructor !== Object) return undefined;
    const values: Record<string, unknown> = { ...facts };
    for (const name in values) {
      const value = values[name];
      if (value === undefined) continue;
      if (secretNames.has(name)) return undefined;
      if (typeof value === 'string' && plainText.test(value)) text += `,"${name}":"${value}"`;
      else if (Number.isFinite(value)) text += `,"${name}":${value}`;
      else return undefined;
    }
    return text;
  }

  function lineWriter(level: 'info' | 'warn'): Logger['info'] {
    const number = log.levels.values[level];
    return (facts: object | string, sentence?: string) => {
      const isAlone = typeof facts === 'object' && sentence === undefined;
      const text = isAlone && log.isLevelEnabled(level) ? plain(facts) : undefined;
      if (text === undefined) log[level](facts, sentence);
      else stream.write(`{"level":${number}${timestamp()}${text}}\n`);
    };
  }

  return {
    debug: log.debug.bind(log),
    info: lineWriter('info'),
    warn: lineWriter('warn'),
    error: log.error.bind(log),
  };
}
