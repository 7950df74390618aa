/** Writes a log line: facts and a short sentence, or the sentence alone. */
interface WriteLine {
  (facts: object, sentence?: string): void;
  (sentence: string): void;
}

/**
 * The log for the operator. `serve` writes it with pino (`open-log.ts`); short commands do not load pino and pass
 * something smaller.
 */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
}

function discard(): void {}

/** Returns a log that discards every line. */
export function silentLog(): Logger {
  return { debug: discard, info: discard, warn: discard, error: discard };
}

/** Returns a phone number masked for the log: `7701***4567`. */
export function maskPhone(phone: string): string {
  return phone.length < 8 ? '***' : `${phone.slice(0, 4)}***${phone.slice(-4)}`;
}
