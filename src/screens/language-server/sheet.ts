import { getNodePath, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isDeeperThan } from '../../json/bounds.js';
import type { Range } from '../../json/find-in-text.js';
import type { Path } from './contract.js';
import { mergeNames, type Names, readNames } from './names.js';

/** A parsed document, which may be incomplete. */
export interface Sheet {
  /** Undefined if the text cannot be parsed at all. */
  readonly tree: Node | undefined;
  readonly names: Names;
}

/**
 * Maximum length of a document with completions and hover texts, in characters. A longer document takes too long to
 * parse after each letter.
 */
export const maxSheetLength = 2 * 1024 * 1024;

/** Parses a text. `before` contains the names in its last valid version. */
function readSheet(text: string, before?: Names): Sheet {
  // The parser recurses once per level.
  const isReadable = text.length <= maxSheetLength && !isDeeperThan(text);
  const faults: ParseError[] = [];
  const options = { disallowComments: true, allowTrailingComma: false };
  // A space replaces the byte order mark, so that offsets stay the same.
  const json = text.replace(/^\ufeff/, ' ');
  const tree = isReadable ? parseTree(json, faults, options) : undefined;
  const isValid = tree !== undefined && faults.length === 0;
  const now = readNames(tree && getNodeValue(tree));
  const names = isValid || before === undefined ? now : mergeNames(now, before);
  return { tree, names };
}

/** The value or property name at a position. */
export interface Pointed {
  readonly node: Node;
  readonly path: Path;
  readonly isKey: boolean;
}

/** Returns the value or name that contains an offset or ends there. Returns undefined for objects and lists. */
export function pointedAt({ tree }: Sheet, offset: number): Pointed | undefined {
  let node = tree;
  while (node && (node.type === 'object' || node.type === 'array' || node.type === 'property')) {
    node = node.children?.find((child) => contains(child, offset));
  }
  if (node === undefined || !contains(node, offset)) return undefined;
  const { parent } = node;
  const isKey = parent?.type === 'property' && parent.children?.[0] === node;
  return { node, path: getNodePath(node), isKey };
}

function contains({ offset: start, length }: Range, offset: number): boolean {
  return start <= offset && offset <= start + length;
}

/** The parsed open documents. */
export type Sheets = ReturnType<typeof createSheets>;

/** Parses open documents, each version once. */
export function createSheets() {
  const known = new Map<string, { version: number; sheet: Sheet }>();
  return {
    of(document: TextDocument): Sheet {
      const { uri, version } = document;
      const before = known.get(uri);
      if (before?.version === version) return before.sheet;
      const sheet = readSheet(document.getText(), before?.sheet.names);
      known.set(uri, { version, sheet });
      return sheet;
    },
    forget: (uri: string) => known.delete(uri),
  };
}
