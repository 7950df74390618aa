import { escapeForeign } from '../../base/foreign-text.js';
import { nearest } from '../../base/nearest.js';

/** Quotes a value from a definition for a message. The result is short, on one line and safe to print. */
export function quote(value: unknown, limit = 40): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${excerpt(value, limit)}"`;
}

/** Returns the first `limit` characters on one line, safe to print, with an ellipsis if the text is longer. */
export function excerpt(text: string, limit: number): string {
  const escaped = escapeForeign(beginning(text, limit));
  if (escaped.length <= limit) return escaped;
  const characters = [...beginning(escaped, limit)];
  return characters.length <= limit ? escaped : `${characters.slice(0, limit - 1).join('')}…`;
}

/** Returns the beginning of a text, slightly more than `limit` characters. */
export function beginning(text: string, limit: number): string {
  return text.slice(0, 2 * limit + 2);
}

/** Returns ` Did you mean "x"?`, or an empty string. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : ` Did you mean ${quote(found)}?`;
}
