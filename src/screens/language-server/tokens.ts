import { createScanner } from 'jsonc-parser';
import type { Range } from '../../json/find-in-text.js';

/** A word, a string or a bracket of a text that may be JSON. */
export interface Token extends Range {
  /** Its first sign: a bracket, a comma, a colon, a quote, or what a word begins with. */
  readonly sign: string;
  readonly end: number;
}

/** The tokens of a text; strings end with their line at the latest. */
export function tokensOf(text: string): Token[] {
  const scanner = createScanner(text, true);
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    tokens.push({ offset, length, end: offset + length, sign: text.charAt(offset) });
  }
  return tokens;
}

/** What is neither a word nor a string. */
export const brackets = '{}[],:';

/** Whether a token is a word or a string. */
export function isWord({ sign }: Token): boolean {
  return !brackets.includes(sign);
}

/** Whether a token begins another property or item. */
export function begins(token: Token | undefined): boolean {
  return token !== undefined && (isWord(token) || '{['.includes(token.sign));
}

/**
 * Whether a string has no end of its own: its line has, or its closing quote opens another one, which shows
 * in a word right behind it.
 */
export function isUnclosed(
  text: string,
  { sign, offset, length, end }: Token,
  next?: Token,
): boolean {
  if (sign !== '"') return false;
  if (length === 1 || text.charAt(end - 1) !== '"' || isEscapedAt(text, offset, end - 1))
    return true;
  return next !== undefined && next.offset === end && isWord(next);
}

function isEscapedAt(text: string, from: number, at: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes > from && text.charAt(at - 1 - backslashes) === '\\')
    backslashes += 1;
  return backslashes % 2 === 1;
}

/** What a name or a string says; of one that is not closed, what there is of it. */
export function wordOf(text: string, { sign, offset, end }: Token): string {
  const raw = text.slice(offset, end);
  if (sign !== '"') return raw;
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1).replace(/"$/, '');
  }
}
