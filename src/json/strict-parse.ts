import { endOfString, type Range, readString, skipSpace } from './find-in-text.js';
import { isObject, pointer } from './pointers.js';

/** What reading a text as JSON gave: the data, and whether some object names a key twice. */
export type ParsedText =
  | { readonly ok: true; readonly data: unknown; readonly duplicates: boolean }
  | { readonly ok: false; readonly reason: string };

/** A byte order mark is no part of the document (RFC 8259 lets a parser skip it). */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Strict JSON, fast: the engine's own parser, and a count that tells whether it had to drop a
 * duplicate key. Finding out where is left to `syntax-fault.ts`, which is loaded only when needed.
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

/** Property names in a text that is known to be JSON: strings followed by a colon. */
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
 * Colons that may follow a name: never fewer than there are names, and far fewer to look at than
 * quotes. Only where strings contain colons is it too many.
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

/** Keys of all objects inside; a stack of its own, so that no depth of nesting overflows the engine's. */
function countKeys(data: unknown): number {
  let count = 0;
  const stack: unknown[] = [data];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) stack.push(item);
    } else if (isObject(value)) {
      // What JSON.parse makes has no enumerable properties but its own.
      for (const key in value) {
        count++;
        const item = value[key];
        if (typeof item === 'object' && item !== null) stack.push(item);
      }
    }
  }
  return count;
}

/** A key that its object has already named. */
interface DuplicateKey {
  readonly name: string;
  /** Where it stands. */
  readonly range: Range;
  /** Where its name stood first. */
  readonly first: number;
  /** Its JSON Pointer; of a deep one the object around it. To be asked for at once. */
  path(): string;
}

/** An object or list that is being read. */
interface Open {
  /** Where each name of an object stands first; a list has none. */
  readonly names: Map<string, number> | undefined;
  /** The name or index that is being read. */
  step: string | number;
  /** Whether a string is a name. */
  atName: boolean;
}

/**
 * Every key that its object has already named, in a text that is known to be JSON. The text is read
 * once, with a stack of its own: no depth of nesting overflows the engine's.
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
          found({ name, range, first, path: () => placeOf(stack) });
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

/** The deepest location that is named; deeper ones are named by the object around them. */
const deepestPlace = 100;

function placeOf(stack: readonly Open[]): string {
  return pointer(...stack.slice(0, deepestPlace).map(({ step }) => step));
}
