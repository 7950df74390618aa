/** Takes a line of the log: facts and a short sentence, or the sentence alone. */
interface WriteLine {
  (facts: object, sentence?: string): void;
  (sentence: string): void;
}

/**
 * What the program reports to its operator. pino writes it (`open-log.ts`), which is loaded only by who writes a
 * log: commands of a moment pass on something smaller.
 */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
}

function saysNothing(): void {}

/** A log that says nothing; for callers without an operator. */
export function silentLog(): Logger {
  return { debug: saysNothing, info: saysNothing, warn: saysNothing, error: saysNothing };
}

/** A phone number as it may appear in a log: `7701***4567`. */
export function maskPhone(phone: string): string {
  return phone.length < 8 ? '***' : `${phone.slice(0, 4)}***${phone.slice(-4)}`;
}
