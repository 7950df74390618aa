import { createScanner } from 'jsonc-parser';
import type { Range } from '../../json/find-in-text.js';
import type { Path } from './contract.js';

/** The context of the cursor: a property name or a value that can be completed. */
export interface CursorContext {
  readonly kind: 'key' | 'value';
  /** Path of the value or, for a name, of its object. */
  readonly path: Path;
  /** The replaced range: the word or the string (including quotes) at the cursor, or an empty range. */
  readonly replaced: Range;
  /** The other names in the object. Empty for a value. */
  readonly siblings: ReadonlySet<string>;
  /** The other strings in the list. Empty outside lists. */
  readonly items: ReadonlySet<string>;
  /** True if a colon follows the name. */
  readonly hasColon: boolean;
  /** Offset of a missing comma before the cursor. */
  readonly commaBefore: number | undefined;
  /** True if a comma is missing after the cursor. */
  readonly needsCommaAfter: boolean;
}

/** An object or list that is not closed yet. */
interface Open {
  readonly isList: boolean;
  readonly path: Path;
  readonly names: Set<string>;
  readonly strings: Set<string>;
  /** The current name or index. */
  step: string | number;
  expects: 'key' | 'colon' | 'value' | 'comma';
  /** End offset of its last token. */
  end: number;
}

/**
 * Returns the context of a cursor, or undefined if nothing can be inserted there. The text may be incomplete: commas,
 * quotes and brackets may be missing before and after the cursor.
 */
export function contextAt(text: string, cursor: number): CursorContext | undefined {
  const tokens = tokensOf(text);
  const reached = tokens.findIndex(({ end }) => end >= cursor);
  let at = reached < 0 ? tokens.length : reached;
  const stack: Open[] = [];
  const takeUpTo = (end: number): void => {
    for (const [index, token] of tokens.slice(0, end).entries()) {
      take(stack, token, tokens[index + 1], text);
    }
  };
  const found = tokens[at];
  const touched = found && isWord(found) && found.offset < cursor ? found : undefined;
  // A bracket or a comma that ends at the cursor precedes it.
  if (found && !touched && found.end <= cursor) at += 1;
  takeUpTo(at);
  const open = stack.at(-1);
  if (open === undefined) return undefined;
  const next = tokens[touched ? at + 1 : at];
  const kind = kindAt(open, touched, next);
  const missesComma = open.expects === 'comma';
  const isGlued = missesComma && touched === undefined && open.end === cursor;
  if (kind === undefined || isGlued) return undefined;
  if (open.isList && missesComma) open.step = Number(open.step) + 1;
  const value =
    kind === 'value' && !open.isList && !touched ? valueAhead(text, cursor, tokens, at) : undefined;
  if (value === 'taken') return undefined;
  const isOpenEnded = touched !== undefined && isUnclosed(text, touched, next);
  const replacedTo = isOpenEnded ? cursor : (value ?? touched)?.end;
  const start = touched?.offset ?? cursor;
  const rest = tokens.slice(touched || value ? at + 1 : at);
  const hasColon = kind === 'key' && rest[0]?.sign === ':';
  return {
    kind,
    path: kind === 'key' ? open.path : [...open.path, open.step],
    replaced: { offset: start, length: (replacedTo ?? cursor) - start },
    ...siblingsOf(stack, open, rest, text),
    hasColon,
    commaBefore: missesComma ? open.end : undefined,
    needsCommaAfter: !hasColon && !isOpenEnded && begins(rest[0]),
  };
}

/**
 * Returns the existing value after the cursor if a completion can replace it, or `taken` if it cannot. The value must
 * be on the same line, because editors do not replace text across lines.
 */
function valueAhead(
  text: string,
  cursor: number,
  tokens: readonly Token[],
  at: number,
): Token | 'taken' | undefined {
  const [next, behind] = tokens.slice(at, at + 2);
  if (next === undefined || !begins(next) || behind?.sign === ':') return undefined;
  const isOnLine = !/[\r\n]/.test(text.slice(cursor, next.offset));
  return isWord(next) && isOnLine ? next : 'taken';
}

function kindAt(
  open: Open,
  touched: Token | undefined,
  next: Token | undefined,
): CursorContext['kind'] | undefined {
  if (open.isList) return 'value';
  if (touched && next?.sign === ':') return 'key';
  if (open.expects === 'colon') return undefined;
  return open.expects === 'value' ? 'value' : 'key';
}

/** Processes one token. */
function take(stack: Open[], token: Token, next: Token | undefined, text: string): void {
  const open = stack.at(-1);
  const { sign, end } = token;
  if (sign === '}' || sign === ']') {
    close(stack, sign === ']', end);
    return;
  }
  if (open === undefined) {
    if (sign === '{' || sign === '[') stack.push(opened(sign === '[', []));
    return;
  }
  if (sign === ',') {
    if (open.isList) open.step = Number(open.step) + (open.expects === 'comma' ? 1 : 0);
    open.expects = open.isList ? 'value' : 'key';
  } else if (sign === ':') {
    if (!open.isList) open.expects = 'value';
  } else if (isKey(open, next, sign)) {
    open.step = wordOf(text, token);
    open.names.add(open.step);
    open.expects = 'colon';
  } else {
    if (open.isList && open.expects === 'comma') open.step = Number(open.step) + 1;
    if (sign === '"') open.strings.add(wordOf(text, token));
    open.expects = 'comma';
    if (sign === '{' || sign === '[') {
      stack.push(opened(sign === '[', [...open.path, open.step]));
    }
  }
  open.end = end;
}

function opened(isList: boolean, path: Path): Open {
  const sets = { names: new Set<string>(), strings: new Set<string>() };
  return {
    isList,
    path,
    ...sets,
    step: isList ? 0 : '',
    expects: isList ? 'value' : 'key',
    end: 0,
  };
}

/** Returns true if a word is a name, because a name is expected or a colon follows. */
function isKey(open: Open, next: Token | undefined, sign: string): boolean {
  if (open.isList || brackets.includes(sign)) return false;
  return next?.sign === ':' || open.expects === 'key' || open.expects === 'comma';
}

/** Closes the innermost object or list that matches the bracket, and everything inside it. */
function close(stack: Open[], isList: boolean, end: number): void {
  const at = stack.findLastIndex((open) => open.isList === isList);
  if (at < 0) return;
  stack.length = at;
  const around = stack.at(-1);
  if (around) {
    around.expects = 'comma';
    around.end = end;
  }
}

/** Returns the other names or strings of the object or list, before and after the cursor. */
function siblingsOf(
  stack: readonly Open[],
  open: Open,
  rest: readonly Token[],
  text: string,
): Pick<CursorContext, 'siblings' | 'items'> {
  const around = [...stack];
  // After the cursor, a word is a name only if a colon follows.
  const after = { ...open, expects: 'comma' as const };
  around[around.length - 1] = after;
  for (const [index, token] of rest.entries()) {
    take(around, token, rest[index + 1], text);
    if (!around.includes(after)) break;
  }
  return { siblings: open.names, items: open.isList ? open.strings : new Set() };
}

/** A word, a string or a punctuation mark. */
interface Token extends Range {
  /** Its first character. */
  readonly sign: string;
  readonly end: number;
}

/** Returns the tokens of a text. An unclosed string ends at the end of its line. */
function tokensOf(text: string): Token[] {
  const scanner = createScanner(text, true);
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    tokens.push({ offset, length, end: offset + length, sign: text.charAt(offset) });
  }
  return tokens;
}

/** Punctuation: tokens that are neither words nor strings. */
const brackets = '{}[],:';

/** Returns true for a word or a string. */
function isWord({ sign }: Token): boolean {
  return !brackets.includes(sign);
}

/** Returns true if a token begins a property or an item. */
function begins(token: Token | undefined): boolean {
  return token !== undefined && (isWord(token) || '{['.includes(token.sign));
}

/**
 * Returns true if a string is not closed, because it ends at the end of its line, or because a word follows it
 * directly. In that case, its last quote opens the next string.
 */
function isUnclosed(text: string, { sign, offset, length, end }: Token, next?: Token): boolean {
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

/** Returns the content of a word or a string, even if it is not closed. */
function wordOf(text: string, { sign, offset, end }: Token): string {
  const raw = text.slice(offset, end);
  if (sign !== '"') return raw;
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1).replace(/"$/, '');
  }
}
