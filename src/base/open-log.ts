import type { Writable } from 'node:stream';
import type { Logger as Pino } from 'pino';
import pino from 'pino';
import { systemErrorCode } from './errors.js';
import { escapeForeign, escapeForeignLines, escapeJson } from './foreign-text.js';
import type { Logger } from './log.js';
import { type LogDestination, type LogStream, openLogStream } from './log-stream.js';

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

/** Text that stands in JSON, and shows on a terminal, as it is. */
const plainText = /^[ !#-[\]-~]*$/;

interface PlainLineOptions {
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
function plainLines(log: Pino, options: PlainLineOptions): Logger {
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

/** Characters of a path in the log of a terminal: a request takes two lines there at most. The JSON log has more. */
const longestPath = 50;

/**
 * A line of the log, JSON, as it is made pretty: with words that cannot steer a terminal, for people the escapes of
 * JSON are undone again, and what is said of a request in one sentence.
 */
function readableLine(line: string): string {
  const facts: unknown = JSON.parse(line, readable);
  return `${JSON.stringify(isRequest(facts) ? inWords(facts) : facts)}\n`;
}

/** A value of a line as a terminal may show it; the line breaks of a stack are wanted. */
function readable(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    return name === 'stack' ? escapeForeignLines(value) : escapeForeign(value);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [escapeForeign(key), of]));
}

interface RequestFacts {
  readonly request: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  readonly code?: string;
  readonly user?: number;
  readonly cashier?: number;
}

/** What `requestLog` writes, and nothing else does. */
function isRequest(facts: unknown): facts is RequestFacts {
  const names = ['request', 'method', 'path', 'status', 'ms', 'address'];
  return typeof facts === 'object' && facts !== null && names.every((name) => name in facts);
}

function inWords(facts: RequestFacts): object {
  const { request, method, path, status, ms, address, code, user, cashier, ...others } = facts;
  const failure = code === undefined ? '' : ` ${code}`;
  const who = user === undefined ? '' : ` user ${user}`;
  const till = cashier === undefined ? '' : ` cashier ${cashier}`;
  const room = longestPath - who.length - till.length;
  const shown = path.length > room ? `${path.slice(0, room)}…` : path;
  return {
    ...others,
    msg: `${method} ${shown} ${status}${failure} ${ms} ms ${address}${who}${till} ${request}`,
  };
}
