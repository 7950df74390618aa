/**
 * JSON whose integers keep every digit. A double holds integers up to 2^53 exactly; longer ones, which banks use as
 * ids, are `bigint` in memory. Numbers with a fraction or an exponent are what JSON.parse makes of them.
 */
import { endOfString } from './find-in-text.js';

/** The most digits of an integer: converting more takes time that grows with their square. */
export const mostDigits = 1_000;

/** The fewest digits of an integer that a double may not hold. */
const fewestUnsafeDigits = 16;

/**
 * JSON.parse, but for integers beyond 2^53, which become `bigint`. Throws a SyntaxError, also for an integer of
 * more than 1,000 digits. Texts without a long run of digits, which are nearly all, are parsed once.
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayLoseDigits(text)) return value;
  // Made after the text: nothing in it can look like this.
  const mark = crypto.randomUUID();
  const marked = markIntegers(text, mark);
  if (marked === undefined) return value;
  return withBigints(JSON.parse(marked), mark);
}

/** Puts bigints where marked digits are; a reviver of JSON.parse takes ten times as long, and recurses. */
function withBigints(root: unknown, mark: string): unknown {
  const open: unknown[] = [];
  const restored = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(mark))
      return BigInt(value.slice(mark.length));
    if (typeof value === 'object' && value !== null) open.push(value);
    return value;
  };
  const whole = restored(root);
  for (let next = open.pop(); next; next = open.pop()) {
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length; index += 1) next[index] = restored(next[index]);
    } else {
      const object = next as Record<string, unknown>; // Only objects and lists are pushed.
      for (const name of Object.keys(object)) object[name] = restored(object[name]);
    }
  }
  return whole;
}

/**
 * Whether JSON.parse could lose digits of a text: whether 16 digits follow each other anywhere. Looks at every
 * sixteenth character, which takes a fifth of the time of parsing; a regular expression takes as long as that.
 */
export function mayLoseDigits(text: string): boolean {
  for (let at = fewestUnsafeDigits - 1; at < text.length; at += fewestUnsafeDigits) {
    if (!isDigitAt(text, at)) continue;
    let first = at;
    while (isDigitAt(text, first - 1)) first -= 1;
    while (isDigitAt(text, at + 1)) at += 1;
    if (at - first + 1 >= fewestUnsafeDigits) return true;
  }
  return false;
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** The text with its unsafe integers as strings that begin with the mark; undefined where it has none. */
function markIntegers(text: string, mark: string): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    if (end - at >= fewestUnsafeDigits) {
      for (const { 0: literal, index } of text.slice(at, end).matchAll(numbers)) {
        if (!isUnsafe(literal)) continue;
        parts.push(text.slice(copied, at + index), `"${mark}${literal}"`);
        copied = at + index + literal.length;
      }
    }
    at = quote < 0 ? end : endOfString(text, quote);
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(copied);
}

/** Whole numbers of JSON, outside of its strings. */
const numbers = /-?\d[\d.eE+-]*/g;

function isUnsafe(literal: string): boolean {
  if (!/^-?\d{16,}$/.test(literal)) return false;
  const digits = literal.startsWith('-') ? literal.length - 1 : literal.length;
  if (digits > mostDigits) throw new SyntaxError(`An integer has more than ${mostDigits} digits.`);
  return !Number.isSafeInteger(Number(literal));
}

type Replacer = (key: string, value: unknown) => unknown;

/**
 * JSON.stringify, but for `bigint`, which is written as its digits. Values without one take no longer than they
 * do otherwise.
 */
export function stringifyExact(value: unknown, replacer?: Replacer, indent?: number): string {
  try {
    return JSON.stringify(value, replacer, indent);
  } catch (error) {
    // Of a bigint, or of something that this will throw again.
    if (!(error instanceof TypeError)) throw error;
  }
  // Made after the value: nothing in it can look like this.
  const mark = crypto.randomUUID();
  const text = JSON.stringify(
    value,
    (key, given: unknown) => {
      const inner = replacer ? replacer(key, given) : given;
      return typeof inner === 'bigint' ? `${mark}${inner}` : inner;
    },
    indent,
  );
  const [first = '', ...others] = text.split(`"${mark}`);
  // What follows a mark are digits and the quote that closes them.
  return first + others.map((part) => part.replace('"', '')).join('');
}

/** The integer that digits (with a minus, at most) stand for: a number where that is exact. */
export function exactInteger(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

const limit = 10n ** BigInt(mostDigits);

/** Whether an integer has more digits than `parseExact` reads. */
export function isTooLong(value: bigint): boolean {
  return value >= limit || value <= -limit;
}
