import { getNodePath, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isDeeperThan } from '../../json/bounds.js';
import type { Range } from '../../json/find-in-text.js';
import type { Path } from './contract.js';
import { mergeNames, type Names, readNames } from './names.js';

/** A text as it is read for the person who writes it: half-written ones as well. */
export interface Sheet {
  /** Undefined where nothing can be made of the text. */
  readonly tree: Node | undefined;
  readonly names: Names;
}

/**
 * Characters of a document that gets completions and explanations; longer ones take too long to read after each
 * letter.
 */
export const longestSheet = 2 * 1024 * 1024;

/** Reads a text; `before` are the names of its latest sound version. */
function readSheet(text: string, before?: Names): Sheet {
  // What reads the tree calls itself once a level.
  const isReadable = text.length <= longestSheet && !isDeeperThan(text);
  const faults: ParseError[] = [];
  const options = { disallowComments: true, allowTrailingComma: false };
  // The mark is no JSON, and takes the room of one character.
  const json = text.replace(/^\ufeff/, ' ');
  const tree = isReadable ? parseTree(json, faults, options) : undefined;
  const isSound = tree !== undefined && faults.length === 0;
  const now = readNames(tree && getNodeValue(tree));
  const names = isSound || before === undefined ? now : mergeNames(now, before);
  return { tree, names };
}

/** A value, or the name of a property, that somebody points at. */
export interface Pointed {
  readonly node: Node;
  readonly path: Path;
  readonly isKey: boolean;
}

/** What stands at an offset; a word that ends there, too. Undefined in between, and where objects begin. */
export function pointedAt({ tree }: Sheet, offset: number): Pointed | undefined {
  let node = tree;
  while (node && (node.type === 'object' || node.type === 'array' || node.type === 'property')) {
    node = node.children?.find((child) => holds(child, offset));
  }
  if (node === undefined || !holds(node, offset)) return undefined;
  const { parent } = node;
  const isKey = parent?.type === 'property' && parent.children?.[0] === node;
  return { node, path: getNodePath(node), isKey };
}

function holds({ offset: start, length }: Range, offset: number): boolean {
  return start <= offset && offset <= start + length;
}

/** Open documents as they are read. */
export type Sheets = ReturnType<typeof createSheets>;

/** Reads open documents, each version once. */
export function createSheets() {
  const known = new Map<string, { version: number; sheet: Sheet; names: Names }>();
  return {
    of(document: TextDocument): Sheet {
      const { uri, version } = document;
      const before = known.get(uri);
      if (before?.version === version) return before.sheet;
      const sheet = readSheet(document.getText(), before?.names);
      known.set(uri, { version, sheet, names: sheet.names });
      return sheet;
    },
    forget: (uri: string) => known.delete(uri),
  };
}
