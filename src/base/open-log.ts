import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { systemErrorCode } from './errors.js';
import { escapeJson } from './foreign-text.js';
import type { Logger } from './log.js';
import { plainLines } from './plain-lines.js';
import { readableLine } from './pretty-lines.js';

export interface LogOptions {
  /** Where lines go, usually stderr. A stream of the process is written to by its file descriptor. */
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

/** How long a line may wait in memory, in milliseconds, and how many bytes may. */
const flushInterval = 1000;
const flushSize = 12_288;

/** How many characters of lines are handed to the stream at once. */
const handedOver = 4096;

/** Bytes of log lines that are kept for a reader that takes none; further lines are dropped. */
const longestBacklog = 1024 * 1024;

/** How long the end waits for that reader, in milliseconds. */
const closeGrace = 1000;

/**
 * The log. Lines are collected for up to a second where nobody watches live, so that logging costs a
 * request next to nothing.
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
  if (destination.fd === undefined) return { log: pino(options, destination), close: nothingWaits };
  const stream = openStream(destination.fd);
  const lines = collectLines(stream);
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
      const written = new Promise<void>((resolve) => stream.flush(() => resolve()));
      await Promise.race([written, delay(closeGrace)]);
    },
  };
}

/**
 * A stream of lines that never blocks the server: a reader that has gone, a full disk or
 * a stalled pipe costs lines, not requests and not the end of the process.
 */
function openStream(fd: number) {
  const stream = pino.destination({
    dest: fd,
    sync: false,
    minLength: flushSize,
    maxLength: longestBacklog,
  });
  // Writing is tried again with the next flush.
  stream.on('error', () => {});
  // pino calls this as the process exits; where nobody takes the lines it would try for ever.
  stream.flushSync = () => {};
  return stream;
}

/**
 * Hands lines on by the kilobyte. pino's stream measures all that waits in it whenever something comes, which takes
 * longer than all the rest of a line.
 */
function collectLines(stream: { write(lines: string): unknown }) {
  let waiting = '';
  function handOver(): void {
    const lines = waiting;
    waiting = '';
    if (lines !== '') stream.write(lines);
  }
  return {
    write(line: string): void {
      waiting += line;
      if (waiting.length >= handedOver) handOver();
    },
    /** Hands on what there is. */
    handOver,
  };
}

async function nothingWaits(): Promise<void> {}
