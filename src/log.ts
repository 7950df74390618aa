import pino from 'pino';

/** What the program tells its operator. Structured: an object of facts, then a short sentence. */
export type Logger = pino.Logger;

export interface LogOptions {
  /** Where lines go; a file descriptor, 2 = stderr. */
  readonly destination: number;
  /** For people on a terminal instead of JSON lines. */
  readonly pretty: boolean;
  readonly level: string;
}

/** Anything under these names is removed before a line is written, at whatever depth it stands. */
const secretKeys = [
  'password',
  'passwordHash',
  'token',
  'secret',
  'otp',
  'text',
  'authorization',
  'tokenSN',
  'vtokenSecret',
];

const redact = {
  paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
  censor: '[removed]',
};

/**
 * The log. Lines are collected for up to a second where nobody watches live, so that logging costs a
 * request next to nothing; `flush` writes what is waiting.
 */
export async function createLog(options: LogOptions): Promise<Logger> {
  const { destination, pretty, level } = options;
  if (pretty) {
    const { default: prettyStream } = await import('pino-pretty');
    const stream = prettyStream({
      destination,
      sync: true,
      ignore: 'pid,hostname',
      colorize: true,
    });
    return pino({ level, redact }, stream);
  }
  const stream = pino.destination({ dest: destination, sync: false, minLength: 4096 });
  const timer = setInterval(() => stream.flush(), 1000);
  timer.unref();
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** A log that says nothing; for callers that have no operator to tell. */
export function silentLog(): Logger {
  return pino({ level: 'silent' });
}

/** A phone number as it may appear in a log: `7701***4567`. */
export function maskPhone(phone: string): string {
  return phone.length < 8 ? '***' : `${phone.slice(0, 4)}***${phone.slice(-4)}`;
}
