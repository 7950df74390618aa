import { endOfString, type Range, readString, skipSpace } from './find-in-text.js';
import { isObject, pointer } from './pointers.js';

/** The parsed data, with a flag for duplicate keys, or the reason why the text is not JSON. */
export type ParsedText =
  | { readonly ok: true; readonly data: unknown; readonly duplicates: boolean }
  | { readonly ok: false; readonly reason: string };

/** Removes a byte order mark, which RFC 8259 allows parsers to ignore. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Parses strict JSON with JSON.parse. Detects duplicate keys by counting, because JSON.parse keeps only the last one.
 */
export function parseText(text: string): ParsedText {
  try {
    const data: unknown = JSON.parse(text);
    const keys = countKeys(data);
    return { ok: true, data, duplicates: keys !== countColons(text) && keys !== countNames(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Counts the property names in valid JSON text: strings followed by a colon. */
function countNames(text: string): number {
  let count = 0;
  let open = text.indexOf('"');
  while (open >= 0) {
    const after = skipSpace(text, endOfString(text, open));
    if (text.charCodeAt(after) === 0x3a) count++;
    open = text.indexOf('"', after);
  }
  return count;
}

/**
 * Counts the colons that may follow a name. This is faster than `countNames`, because text has fewer colons than
 * quotes. The count is too high only if strings contain colons after quotes.
 */
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before--;
    if (text.charCodeAt(before) === 0x22) count++;
  }
  return count;
}

/** Counts the keys of all objects in a value. Does not recurse, so that deep nesting cannot overflow the stack. */
function countKeys(data: unknown): number {
  let count = 0;
  const stack: unknown[] = [data];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) stack.push(item);
    } else if (isObject(value)) {
      // Objects from JSON.parse have no inherited enumerable properties.
      for (const key in value) {
        count++;
        const item = value[key];
        if (typeof item === 'object' && item !== null) stack.push(item);
      }
    }
  }
  return count;
}

/** A repeated key of an object. */
interface DuplicateKey {
  readonly name: string;
  readonly range: Range;
  /** Offset of the first occurrence. */
  readonly first: number;
  /**
   * Returns the JSON Pointer of the key, or of a parent object if the key is nested deeply. Valid only during the
   * callback.
   */
  path(): string;
}

/** An object or list that is not closed yet. */
interface Open {
  /** Offset of each name in an object; undefined for a list. */
  readonly names: Map<string, number> | undefined;
  /** The current name or index. */
  step: string | number;
  /** True if the next string is a name. */
  atName: boolean;
}

/**
 * Calls `found` for every repeated key in valid JSON text. Reads the text once, and does not recurse.
 */
export function findDuplicateKeys(text: string, found: (duplicate: DuplicateKey) => void): void {
  const stack: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    const top = stack.at(-1);
    if (sign === '{') stack.push({ names: new Map(), step: '', atName: true });
    else if (sign === '[') stack.push({ names: undefined, step: 0, atName: false });
    else if (sign === '}' || sign === ']') stack.pop();
    else if (sign === ',' && top) nextIn(top);
    else if (sign === '"') {
      const end = endOfString(text, at);
      if (top?.names && top.atName) {
        const name = readString(text, at, end);
        const first = top.names.get(name);
        top.step = name;
        top.atName = false;
        if (first === undefined) top.names.set(name, at);
        else {
          const range = { offset: at, length: end - at };
          found({ name, range, first, path: () => pointerOf(stack) });
        }
      }
      at = end - 1;
    }
  }
}

function nextIn(open: Open): void {
  if (open.names) open.atName = true;
  else if (typeof open.step === 'number') open.step++;
}

/** Maximum number of levels in the pointer of a duplicate key. For a deeper key, the pointer of a parent is used. */
const deepestPlace = 100;

function pointerOf(stack: readonly Open[]): string {
  return pointer(...stack.slice(0, deepestPlace).map(({ step }) => step));
}
