/** Writes a log line with facts and a short sentence, or with only one of them. */
interface WriteLine {
  (facts: object, sentence?: string): void;
  (sentence: string): void;
}

/**
 * The operator's log. `serve` writes it with pino (`open-log.ts`). Short commands do not load pino and pass a smaller
 * logger.
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

/** Masks a phone number for the log, as in `7701***4567`. */
export function maskPhone(phone: string): string {
  return phone.length < 8 ? '***' : `${phone.slice(0, 4)}***${phone.slice(-4)}`;
}
