import { isTooLong } from './exact-json.js';
import { endOfString } from './find-in-text.js';

/** The deepest nesting of JSON that is accepted, as writing it again recurses once a level. */
export const deepestJson = 64;

interface JsonBounds {
  /** Levels; the value itself is level 1. */
  readonly deepest?: number;
  /** Characters of all texts and names, digits of bigints, and one for every other value. */
  readonly longest?: number;
}

/**
 * What of a value is too much: its depth, its length (a bigint that could not be read again is too long as
 * well) or neither. Recurses not, and ends early, also for a value that holds itself.
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
 * Whether JSON text nests objects and lists deeper than `levels`. Looks at the text, so that nothing
 * that calls itself (comparing, digesting, printing) ever meets such a value. Most texts have
 * too few brackets to be deep, which is seen without reading them. Text that is no JSON gives either
 * answer, in the same time.
 */
export function isDeeperThan(text: string, levels: number = deepestJson): boolean {
  return tooDeepAt(text, levels) !== undefined;
}

/** The same: where the first bracket is that goes too deep. */
export function tooDeepAt(text: string, levels: number = deepestJson): number | undefined {
  if (!hasBrackets(text, levels + 1)) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    // A string that is not closed ends the text.
    if (sign === '"') at = (endOfString(text, at) || text.length + 1) - 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > levels) return at;
    }
  }
  return undefined;
}

/** Whether a text has at least so many opening brackets, those inside of strings included. */
function hasBrackets(text: string, wanted: number): boolean {
  let left = wanted;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left === 0) return true;
    }
  }
  return false;
}
