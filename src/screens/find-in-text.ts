import { parsePointer } from './pointers.js';

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

const [quoteSign, comma, openList, closeList, openObject, closeObject] = [
  0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * Where a value stands (with `atKey`, its name) in a text that is known to be JSON and to name no key
 * twice; the nearest parent where the pointer leads nowhere. Reads the text once without building anything, which for a few
 * places is many times faster than a tree of the whole document.
 */
export function findInText(text: string, path: string, atKey = false): Range {
  let at = skipSpace(text, 0);
  let name: Range | undefined;
  for (const step of parsePointer(path)) {
    const next =
      text.charCodeAt(at) === openList ? findItem(text, at, step) : findProperty(text, at, step);
    if (next === undefined) break;
    ({ at, name } = next);
  }
  if (atKey && name) return name;
  const sign = text.charCodeAt(at);
  // A whole object or list would mark half of the file: its opening bracket is enough.
  const open = sign === openObject || sign === openList;
  return { offset: at, length: open ? 1 : Math.max(1, skipValue(text, at) - at) };
}

interface Found {
  readonly at: number;
  readonly name: Range | undefined;
}

function findItem(text: string, list: number, step: string): Found | undefined {
  if (!/^\d+$/.test(step)) return undefined;
  let at = skipSpace(text, list + 1);
  for (let left = Number(step); left > 0 && text.charCodeAt(at) !== closeList; left--) {
    at = afterComma(text, skipValue(text, at));
  }
  return at >= text.length || text.charCodeAt(at) === closeList
    ? undefined
    : { at, name: undefined };
}

function findProperty(text: string, object: number, step: string): Found | undefined {
  if (text.charCodeAt(object) !== openObject) return undefined;
  let at = skipSpace(text, object + 1);
  while (text.charCodeAt(at) === quoteSign) {
    const end = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1); // past the colon
    if (isNamed(text, at, end, step)) {
      return { at: value, name: { offset: at, length: end - at } };
    }
    at = afterComma(text, skipValue(text, value));
  }
  return undefined;
}

function isNamed(text: string, at: number, end: number, step: string): boolean {
  const raw = text.slice(at + 1, end - 1);
  return raw === step || (raw.includes('\\') && JSON.parse(`"${raw}"`) === step);
}

function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
}

/** The end of the value that begins here. */
function skipValue(text: string, start: number): number {
  let at = start;
  let depth = 0;
  while (at < text.length) {
    const sign = text.charCodeAt(at);
    if (sign === quoteSign) at = endOfString(text, at);
    else if (sign === openObject || sign === openList) {
      depth++;
      at++;
    } else if (sign === closeObject || sign === closeList) {
      depth--;
      if (depth < 0) return at;
      at++;
    } else if (depth === 0 && (sign === comma || sign <= 0x20)) return at;
    else {
      at++;
      continue;
    }
    if (depth === 0) return at;
  }
  return at;
}

/** Space, tab, line feed and carriage return are the only white space of JSON. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** The end of the string that begins here, past its closing quote. */
export function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}
