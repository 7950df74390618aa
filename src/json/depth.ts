import { deepestJson } from './bounds.js';
import { endOfString } from './find-in-text.js';

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
