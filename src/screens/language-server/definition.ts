import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { Location } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Meaning, meaningOfKey, meaningOfValue } from './meanings.js';
import { rangeOf } from './places.js';
import { pointedAt, type Sheet } from './sheet.js';

/** Where the name at an offset is made: a field's column, a status, a question, an item of a list. */
export function definitionAt(
  document: TextDocument,
  sheet: Sheet,
  offset: number,
): Location | undefined {
  const pointed = pointedAt(sheet, offset);
  if (pointed === undefined || sheet.tree === undefined) return undefined;
  const { path, isKey, node } = pointed;
  const meaning = isKey ? meaningOfKey(path) : meaningOfValue(path, sheet.names);
  const target = meaning && targetOf(meaning, sheet.tree, node.value, path);
  return target && { uri: document.uri, range: rangeOf(document, target) };
}

function targetOf(
  meaning: Meaning,
  tree: Node,
  value: unknown,
  path: readonly (string | number)[],
): Node | undefined {
  switch (meaning.kind) {
    case 'field':
      return columnOf(tree, value) ?? firstInRows(tree, value);
    case 'status':
      return nameIn(findNodeAtLocation(tree, ['statuses']), value);
    case 'item':
      return typeof value === 'number'
        ? itemsAt(tree, meaning.list.split('/'))[value - meaning.first]
        : undefined;
    case 'suggestion':
      return itemsAt(tree, ['ai', 'suggestions']).find((item) => item.value === value);
    case 'cell':
      return itemsAt(columnNode(tree, path.at(-1)), ['values']).find(
        (item) => item.value === value,
      );
    default:
      return undefined;
  }
}

/** The key of a column. */
function columnOf(tree: Node, key: unknown): Node | undefined {
  return valueIn(columnNode(tree, key), 'key');
}

function columnNode(tree: Node, key: unknown): Node | undefined {
  return itemsAt(tree, ['table', 'columns']).find(
    (column) => valueIn(column, 'key')?.value === key,
  );
}

/** A field without a column is made by the first row that has it. */
function firstInRows(tree: Node, key: unknown): Node | undefined {
  for (const row of itemsAt(tree, ['table', 'rows'])) {
    const name = nameIn(row, key);
    if (name) return name;
  }
  return undefined;
}

function itemsAt(tree: Node | undefined, path: readonly string[]): readonly Node[] {
  const list = tree && findNodeAtLocation(tree, [...path]);
  return list?.type === 'array' ? (list.children ?? []) : [];
}

function valueIn(object: Node | undefined, name: string): Node | undefined {
  return object?.type === 'object' ? findNodeAtLocation(object, [name]) : undefined;
}

/** The name of a property, where it stands. */
function nameIn(object: Node | undefined, name: unknown): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.map(({ children }) => children?.[0]).find((key) => key?.value === name);
}
