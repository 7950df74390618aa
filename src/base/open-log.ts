import type { Writable } from 'node:stream';
import pino from 'pino';
import { systemErrorCode } from './errors.js';
import { escapeJson } from './foreign-text.js';
import type { Logger } from './log.js';
import { type LogDestination, type LogStream, openLogStream } from './log-stream.js';
import { plainLines } from './plain-lines.js';
import { readableLine } from './pretty-lines.js';

export interface LogOptions {
  /** Where lines go, usually stderr. */
  readonly destination: Writable & { readonly fd?: number };
  /** For people on a terminal instead of JSON lines. */
  readonly pretty: boolean;
  readonly level: string;
}

/** Values under these names are removed before a line is written, at whatever depth. */
const secretNames: ReadonlySet<string> = new Set([
  'password',
  'passwordHash',
  'token',
  'secret',
  'otp',
  'text',
  'authorization',
  'tokenSN',
  'vtokenSecret',
]);

/**
 * The facts of a line without secrets. pino's own redaction with paths for nested names costs five
 * times as much as writing the line does (measured: 18 µs against 3.5 µs); this walk costs what is
 * nested, and lines about requests nest nothing.
 */
export function withoutSecrets(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const name in facts) {
    const value = facts[name];
    if (secretNames.has(name)) clean[name] = '[removed]';
    else clean[name] = isPlainObject(value) ? withoutSecrets(value) : value;
  }
  return clean;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value?.constructor === Object;
}

/** An error as a line gives it. */
interface ErrorFacts {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly errors?: readonly ErrorFacts[];
}

/**
 * An error without its other properties: a provider's answer names clients and may hold a secret, a
 * database's fault quotes rows. Message and stack name its causes, too.
 */
function errorFacts(thrown: unknown): ErrorFacts {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code = systemErrorCode(error);
  const several = error instanceof AggregateError ? error.errors.map(errorFacts) : undefined;
  return {
    type,
    message,
    stack,
    ...(code ? { code } : {}),
    ...(several ? { errors: several } : {}),
  };
}

/** Times as pino's own writes them; many lines come in one millisecond, which are written out once. */
function isoTimes(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`;
    at = now;
    return text;
  };
}

const formatters = { log: withoutSecrets };
const serializers = { err: errorFacts };

/** JSON escapes C0 controls; what else could steer the terminal of whoever reads a log is escaped here. */
const jsonLines = { streamWrite: escapeJson };

/** The same for people, who read it on the terminal. */
const prettyLines = { streamWrite: readableLine };

/** A log and the way to let go of it. */
export interface OpenLog {
  readonly log: Logger;
  /** Writes what is waiting, for a second at most; call it last. */
  close(): Promise<void>;
}

/** How long a line below the level error may wait in memory, in milliseconds. */
const flushInterval = 1000;

/** How many characters of such lines are written at once. */
const writtenAtOnce = 4096;

/**
 * Opens a log. A line of the level error is written at once, before the answer that it belongs to; other lines are
 * collected for up to a second, so that logging costs a request next to nothing.
 */
export async function openLog({ destination, pretty, level }: LogOptions): Promise<OpenLog> {
  if (pretty) {
    const { default: prettyStream } = await import('pino-pretty');
    const looks = { ignore: 'pid,hostname', colorize: true, singleLine: true };
    const stream = prettyStream({ ...looks, destination });
    const options = { level, formatters, serializers, hooks: prettyLines };
    return { log: pino(options, stream), close: nothingWaits };
  }
  const fixed = { formatters, serializers, hooks: jsonLines, base: null };
  const timestamp = isoTimes();
  const options = { ...fixed, level, timestamp };
  if (!isOfProcess(destination)) return { log: pino(options, destination), close: nothingWaits };
  const { values } = pino.levels;
  const stream = openLogStream(destination, (count) => {
    const message = 'Log lines were dropped, because their reader took none.';
    return `{"level":${values.warn}${timestamp()},"dropped":${count},"msg":"${message}"}\n`;
  });
  const lines = collectLines(stream, values.error ?? 0);
  const timer = setInterval(() => {
    lines.handOver();
    stream.flush();
  }, flushInterval);
  timer.unref();
  return {
    log: plainLines(pino(options, lines), { stream: lines, timestamp, secretNames }),
    async close() {
      clearInterval(timer);
      lines.handOver();
      await stream.close();
    },
  };
}

function isOfProcess(destination: LogOptions['destination']): destination is LogDestination {
  return destination.fd !== undefined;
}

/** Collects lines until they are many, or one has the level `urgent` or a higher one. */
function collectLines(stream: LogStream, urgent: number) {
  let waiting = '';
  let count = 0;
  function handOver(): void {
    const [text, lines] = [waiting, count];
    waiting = '';
    count = 0;
    if (lines > 0) stream.write(text, lines);
  }
  return {
    /** Makes pino give the level of each line in `lastLevel`. */
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      waiting += line;
      count += 1;
      const isUrgent = this.lastLevel >= urgent;
      this.lastLevel = 0;
      if (isUrgent || waiting.length >= writtenAtOnce) handOver();
    },
    /** Hands on what there is. */
    handOver,
  };
}

async function nothingWaits(): Promise<void> {}
