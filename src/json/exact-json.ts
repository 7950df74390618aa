/**
 * Parses and writes JSON without losing digits of integers. A double represents integers up to 2^53 exactly. Longer
 * ones, which banks use as IDs, become `bigint`. Numbers with a fraction or an exponent are parsed as in JSON.parse.
 */
import { endOfString } from './find-in-text.js';

/** Maximum number of digits of an integer. The conversion time grows with the square of the number of digits. */
export const maxDigits = 1_000;

/** Minimum number of digits of an integer that a double may not represent exactly. */
const minUnsafeDigits = 16;

/**
 * Parses JSON like JSON.parse, but converts integers above 2^53 to `bigint`. Throws a SyntaxError for invalid JSON and
 * for an integer of more than 1,000 digits.
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayLoseDigits(text)) return value;
  // Random, so the text cannot contain it.
  const mark = crypto.randomUUID();
  const marked = markIntegers(text, mark);
  if (marked === undefined) return value;
  return withBigints(JSON.parse(marked), mark);
}

/** Replaces marked digits with bigints. A reviver for JSON.parse would take ten times as long and recurse. */
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
      const object = next as Record<string, unknown>; // `open` contains only objects and lists.
      for (const name of Object.keys(object)) object[name] = restored(object[name]);
    }
  }
  return whole;
}

/**
 * Returns true if JSON.parse could lose digits, because the text contains 16 consecutive digits. Checks every sixteenth
 * character, which takes a fifth of the parsing time. A regular expression would take as long as parsing.
 */
export function mayLoseDigits(text: string): boolean {
  for (let at = minUnsafeDigits - 1; at < text.length; at += minUnsafeDigits) {
    if (!isDigitAt(text, at)) continue;
    let first = at;
    while (isDigitAt(text, first - 1)) first -= 1;
    while (isDigitAt(text, at + 1)) at += 1;
    if (at - first + 1 >= minUnsafeDigits) return true;
  }
  return false;
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/**
 * Returns the text with unsafe integers replaced by strings that begin with the mark, or undefined if there are none.
 */
function markIntegers(text: string, mark: string): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    if (end - at >= minUnsafeDigits) {
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

/** Numbers outside strings. */
const numbers = /-?\d[\d.eE+-]*/g;

function isUnsafe(literal: string): boolean {
  if (!/^-?\d{16,}$/.test(literal)) return false;
  const digits = literal.startsWith('-') ? literal.length - 1 : literal.length;
  if (digits > maxDigits) throw new SyntaxError(`An integer has more than ${maxDigits} digits.`);
  return !Number.isSafeInteger(Number(literal));
}

type Replacer = (key: string, value: unknown) => unknown;

/** Writes JSON like JSON.stringify, but supports `bigint`, which is written as digits. */
export function stringifyExact(value: unknown, replacer?: Replacer, indent?: number): string {
  try {
    return JSON.stringify(value, replacer, indent);
  } catch (error) {
    // Either the value contains a bigint, or the second attempt throws as well.
    if (!(error instanceof TypeError)) throw error;
  }
  // Random, so the value cannot contain it.
  const mark = crypto.randomUUID();
  const text = JSON.stringify(
    value,
    (key, member: unknown) => {
      const inner = replacer ? replacer(key, member) : member;
      return typeof inner === 'bigint' ? `${mark}${inner}` : inner;
    },
    indent,
  );
  const [first = '', ...others] = text.split(`"${mark}`);
  // Digits and a closing quote follow each mark.
  return first + others.map((part) => part.replace('"', '')).join('');
}

/** Converts digits with an optional minus sign to a number if that is exact, otherwise to a bigint. */
export function exactInteger(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

const limit = 10n ** BigInt(maxDigits);

/** Returns true if an integer has more digits than `parseExact` accepts. */
export function isTooLong(value: bigint): boolean {
  return value >= limit || value <= -limit;
}
