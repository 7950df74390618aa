import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Range } from './find-in-text.js';
import type { Problem } from './findings.js';
import { createLineIndex } from './lines.js';
import { parsePointer } from './pointers.js';
import { quote } from './quote.js';
import { pointer } from './values.js';

/** A problem that is known by its place in the text rather than by a pointer alone. */
export interface PlacedProblem {
  readonly problem: Problem;
  readonly range: Range;
}

/** Finds places in one text by a tree of all of it: right for many places, and for duplicate keys. */
export interface Locator {
  /** The place of a value, or with `atKey` of its name; the nearest parent where there is none. */
  find(path: string, atKey?: boolean): Range;
  /** Every key that an object has already named. */
  duplicates(): readonly PlacedProblem[];
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Reads the text once more, this time with places. */
export function createLocator(text: string): Locator {
  const root = treeOf(text);
  return {
    find: (path, atKey) => findRange(root, path, atKey),
    duplicates: () => (root ? findDuplicates(root, text) : []),
  };
}

/** Nesting too deep for a recursive parser costs the places, never the run. */
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text, [], strict);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function findRange(root: Node | undefined, path: string, atKey = false): Range {
  let node = root;
  let name: Node | undefined;
  for (const step of parsePointer(path)) {
    const next = childOf(node, step);
    if (next === undefined) break;
    ({ node, name } = next);
  }
  const found = atKey && name ? name : node;
  if (found === undefined) return { offset: 0, length: 1 };
  // A whole object or list would mark half of the file: its opening bracket is enough.
  const simple = found.type !== 'object' && found.type !== 'array';
  return { offset: found.offset, length: simple ? found.length : 1 };
}

function childOf(
  node: Node | undefined,
  step: string,
): { readonly node: Node | undefined; readonly name: Node | undefined } | undefined {
  if (node?.type === 'array') {
    const item = node.children?.[Number(step)];
    return item && { node: item, name: undefined };
  }
  // Of duplicates the last one counts, as for JSON.parse.
  const property = node?.children?.findLast(({ children }) => children?.[0]?.value === step);
  return property && { node: property.children?.[1], name: property.children?.[0] };
}

function findDuplicates(root: Node, text: string): readonly PlacedProblem[] {
  const lines = createLineIndex(text);
  const found: PlacedProblem[] = [];
  const visit = (node: Node, steps: readonly (string | number)[]): void => {
    const seen = new Map<string, Node>();
    for (const [index, child] of (node.children ?? []).entries()) {
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      const key: unknown = name?.value;
      const step = typeof key === 'string' ? key : index;
      const path = [...steps, step];
      if (name && typeof key === 'string') {
        const first = seen.get(key);
        if (first === undefined) seen.set(key, name);
        else found.push(duplicate(key, path, name, lines.position(first).line));
      }
      if (value?.children) visit(value, path);
    }
  };
  visit(root, []);
  return found;
}

function duplicate(
  key: string,
  path: readonly (string | number)[],
  name: Node,
  first: number,
): PlacedProblem {
  const message = `The object already has a key ${quote(key)}, on line ${first}; only the last one counts.`;
  return {
    problem: { rule: 'duplicate-key', severity: 'error', path: pointer(...path), message },
    range: { offset: name.offset, length: name.length },
  };
}

/** The first fault of a text that is not JSON; the ones after it are mostly its consequences. */
export function findSyntaxError(text: string, reason: string): PlacedProblem {
  const fault = firstFault(text);
  const range = fault ?? { offset: offsetIn(reason, text), length: 1 };
  const message = `This is not JSON: ${fault ? explain(text, fault) : plainReason(reason)}`;
  return { problem: { rule: 'json-syntax', severity: 'error', path: '', message }, range };
}

function firstFault(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, strict);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return errors[0];
}

const explanations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value is true, false, null, a number, a string in double quotes, [ or {.',
  InvalidNumberFormat: 'this number is not written as JSON writes numbers.',
  PropertyNameExpected: 'a property name in double quotes is expected here.',
  ValueExpected: 'a value is expected here.',
  ColonExpected: 'a colon is expected after the property name.',
  CommaExpected: 'a comma is expected before this.',
  CloseBraceExpected: 'the object is not closed: } is missing.',
  CloseBracketExpected: 'the list is not closed: ] is missing.',
  EndOfFileExpected: 'the document has ended, but more text follows.',
  InvalidCommentToken: 'comments are not allowed.',
  UnexpectedEndOfComment: 'comments are not allowed.',
  UnexpectedEndOfString: 'the string is not closed: " is missing.',
  UnexpectedEndOfNumber: 'the number breaks off.',
  InvalidUnicode: 'after \\u there must be four hexadecimal digits.',
  InvalidEscapeCharacter: 'this escape is unknown; write \\\\ for a backslash.',
  InvalidCharacter: 'line breaks, tabs and other control characters must be escaped in a string.',
};

function explain(text: string, { error, offset, length }: ParseError): string {
  if (text.trim() === '') return 'the file is empty.';
  const code = printParseErrorCode(error);
  const token = text.slice(offset, offset + length);
  const closing = /^[\]}]/.test(text.slice(offset));
  if (closing && /,\s*$/.test(text.slice(0, offset))) {
    return 'a comma stands before the closing bracket; remove the comma.';
  }
  if (text.charAt(offset) === "'") return 'strings are written in double quotes.';
  if (code === 'InvalidSymbol') return `${quote(token)} is no value. ${explanations.InvalidSymbol}`;
  return explanations[code] ?? `${code}.`;
}

function offsetIn(reason: string, text: string): number {
  const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
  return Math.min(offset, Math.max(0, text.length - 1));
}

function plainReason(reason: string): string {
  const short = reason
    .replace(/,? ?(\.\.\.)?".*" is not valid JSON$/s, '')
    .replace(/ in JSON.*$/s, '');
  return `${short || 'it cannot be read'}.`;
}
