import { endOfString, type Range, readString, skipSpace, skipValue } from './find-in-text.js';

/** A property of an object or an item of a list, as it stands in a text. */
export interface Member {
  /** What it is called; of an item its index. */
  readonly step: string;
  /** Where its name stands; an item has none. */
  readonly name: Range | undefined;
  /** Where its value begins. */
  readonly at: number;
  /** Where its value ends. */
  readonly end: number;
}

/** What an object or list holds, in the order of the text. */
export interface Members {
  readonly members: readonly Member[];
  /** Just behind its opening bracket. */
  readonly from: number;
  /** At its closing bracket. */
  readonly to: number;
}

const [comma, openList, openObject] = [0x2c, 0x5b, 0x7b];

/** The members of the value that begins here, in a text that is known to be JSON; undefined where it has none. */
export function membersAt(text: string, open: number): Members | undefined {
  const sign = text.charCodeAt(open);
  if (sign !== openObject && sign !== openList) return undefined;
  const members: Member[] = [];
  let at = skipSpace(text, open + 1);
  while (!isClosing(text, at)) {
    const member = sign === openList ? itemAt(text, at, members.length) : propertyAt(text, at);
    members.push(member);
    at = skipSpace(text, member.end);
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return { members, from: open + 1, to: at };
}

/** Where a member begins: at its name, or at its value. */
export function startOf({ name, at }: Member): number {
  return name?.offset ?? at;
}

function itemAt(text: string, at: number, index: number): Member {
  return { step: String(index), name: undefined, at, end: skipValue(text, at) };
}

function propertyAt(text: string, start: number): Member {
  const end = endOfString(text, start);
  const at = skipSpace(text, skipSpace(text, end) + 1); // past the colon
  const name = { offset: start, length: end - start };
  return { step: readString(text, start, end), name, at, end: skipValue(text, at) };
}

function isClosing(text: string, at: number): boolean {
  return at >= text.length || text[at] === '}' || text[at] === ']';
}
