import { parsePointer } from './pointers.js';

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

const [quoteSign, comma, openList, closeList, openObject, closeObject] = [
  0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** The JSON Pointer of a value to locate. With `atKey`, the name of the value is located instead. */
export interface PointerTarget {
  readonly path: string;
  readonly atKey?: boolean;
}

/**
 * Returns the ranges of values in valid JSON text. For a pointer to a missing value, returns the range of the nearest
 * parent. Reads the text at most once per step of the longest pointer, regardless of the number of pointers.
 */
export function findInText(text: string, pointers: readonly PointerTarget[]): readonly Range[] {
  const ranges: Range[] = [];
  const visit = (branch: Branch, { at, name }: Found): void => {
    const found = findChildren(text, at, branch.children);
    const lost = [...branch.children].flatMap(([step, child]) => {
      const next = found.get(step);
      if (!next) return targetsOf(child);
      visit(child, next);
      return [];
    });
    const targets = [...branch.targets, ...lost];
    if (targets.length === 0) return;
    const value = rangeAt(text, at);
    for (const target of targets) ranges[target] = (pointers[target]?.atKey && name) || value;
  };
  visit(branchesOf(pointers), { at: skipSpace(text, 0), name: undefined });
  return ranges;
}

/** The pointers below one step. `targets` are the indexes of the pointers that end at the step. */
interface Branch {
  readonly children: Map<string, Branch>;
  readonly targets: number[];
}

function branchesOf(pointers: readonly PointerTarget[]): Branch {
  const root: Branch = { children: new Map(), targets: [] };
  for (const [target, { path }] of pointers.entries()) {
    let branch = root;
    for (const step of parsePointer(path)) {
      const next = branch.children.get(step) ?? { children: new Map(), targets: [] };
      branch.children.set(step, next);
      branch = next;
    }
    branch.targets.push(target);
  }
  return root;
}

function targetsOf({ targets, children }: Branch): readonly number[] {
  return [...targets, ...[...children.values()].flatMap(targetsOf)];
}

/** Returns the range of a value, or only of the opening bracket for an object or list. */
function rangeAt(text: string, at: number): Range {
  const sign = text.charCodeAt(at);
  const open = sign === openObject || sign === openList;
  return { offset: at, length: open ? 1 : Math.max(1, skipValue(text, at) - at) };
}

interface Found {
  readonly at: number;
  readonly name: Range | undefined;
}

/** Finds members by name. Of several duplicates, returns the last, as JSON.parse does. */
function findChildren(
  text: string,
  at: number,
  wanted: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  if (wanted.size === 0) return found;
  for (const member of membersAt(text, at)) {
    if (wanted.has(member.step)) found.set(member.step, member);
    // A property may have a later duplicate, but an item cannot.
    if (member.name === undefined && found.size === wanted.size) break;
  }
  return found;
}

/** A property of an object or an item of a list, as located in a text. */
export interface Member {
  /** The name of the property, or the index of the item. */
  readonly step: string;
  /** The range of the name; undefined for an item. */
  readonly name: Range | undefined;
  /** Offset of the value. */
  readonly at: number;
}

/** Yields the members of the object or list at an offset, in order. Yields nothing for other values. */
export function* membersAt(text: string, open: number): Generator<Member> {
  const isList = text.charCodeAt(open) === openList;
  if (!isList && text.charCodeAt(open) !== openObject) return;
  const close = isList ? closeList : closeObject;
  let at = skipSpace(text, open + 1);
  for (let index = 0; at < text.length && text.charCodeAt(at) !== close; index++) {
    const member = isList ? { step: String(index), name: undefined, at } : propertyAt(text, at);
    yield member;
    const end = skipSpace(text, skipValue(text, member.at));
    at = text.charCodeAt(end) === comma ? skipSpace(text, end + 1) : end;
  }
}

function propertyAt(text: string, start: number): Member {
  const end = endOfString(text, start);
  const at = skipSpace(text, skipSpace(text, end) + 1); // after the colon
  const name = { offset: start, length: end - start };
  return { step: readString(text, start, end), name, at };
}

/** Returns the decoded string between two offsets, quotes included. */
export function readString(text: string, at: number, end: number): string {
  const raw = text.slice(at + 1, end - 1);
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
}

/** Returns the end of the value at an offset. */
export function skipValue(text: string, start: number): number {
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

/** Returns the offset of the next character that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Returns the offset after the closing quote of the string at `open`, or 0 if the string is not closed. */
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
