import { isTooLong } from './exact-json.js';
import { endOfString } from './find-in-text.js';

/** Maximum nesting of JSON, in levels. JSON.stringify recurses once per level. */
export const deepestJson = 64;

interface JsonBounds {
  /** Maximum nesting, in levels. The value itself is level 1. */
  readonly deepest?: number;
  /** Maximum length: the characters of all texts and names, the digits of bigints, and one for every other value. */
  readonly longest?: number;
}

/**
 * Returns the limit that a value exceeds, if any. A bigint with more digits than `parseExact` accepts also exceeds the
 * length. Does not recurse, and terminates for a value that contains itself.
 */
export function excessOf(
  value: unknown,
  { deepest = deepestJson, longest = Number.POSITIVE_INFINITY }: JsonBounds = {},
): 'depth' | 'length' | undefined {
  const open: { readonly value: unknown; readonly level: number }[] = [{ value, level: 1 }];
  let length = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === 'bigint' && isTooLong(next.value)) return 'length';
    length += lengthOf(next.value);
    if (length > longest) return 'length';
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.level > deepest) return 'depth';
    const level = next.level + 1;
    if (Array.isArray(next.value)) {
      for (const inner of next.value) open.push({ value: inner, level });
      continue;
    }
    for (const [name, inner] of Object.entries(next.value)) {
      length += name.length;
      open.push({ value: inner, level });
    }
  }
  return undefined;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'bigint' ? String(value).length : 1;
}

/**
 * Returns true if the nesting of JSON text is deeper than `levels`. The result for text that is not JSON is arbitrary.
 */
export function isDeeperThan(text: string, levels: number = deepestJson): boolean {
  return tooDeepAt(text, levels) !== undefined;
}

/** Returns the offset of the first bracket that is nested too deeply, or undefined. */
export function tooDeepAt(text: string, levels: number = deepestJson): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    // An unclosed string ends the text.
    if (sign === '"') at = (endOfString(text, at) || text.length + 1) - 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > levels) return at;
    }
  }
  return undefined;
}
