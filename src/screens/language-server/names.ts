import { isObject, valueAt } from '../../json/pointers.js';

export interface NamedColumn {
  /** Index in `table.columns`. */
  readonly index: number;
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly values: readonly string[];
}

export interface NamedStatus {
  readonly key: string;
  readonly label: string;
  readonly tone: string;
  readonly dim: boolean;
}

/** Names in a definition that other parts refer to. */
export interface Names {
  readonly columns: readonly NamedColumn[];
  /** Fields of the rows, in order of first occurrence. */
  readonly rowKeys: readonly string[];
  readonly statuses: readonly NamedStatus[];
  /** Document types in the rows. */
  readonly docTypes: readonly string[];
  /** Suggested questions of the assistant. */
  readonly suggestions: readonly string[];
  /** Names of list items, by the path of the list: `map/points`. */
  readonly items: Readonly<Record<string, readonly string[]>>;
}

/** Lists whose items are referenced by number. */
export const numberedLists = ['nav', 'kpis', 'map/points', 'steps/items', 'wizard/steps'] as const;

/** Properties of rows that are not fields. */
export const rowExtras: readonly string[] = ['_flags', '_docs'];

/** Maximum number of rows whose fields and documents are offered as completions. */
const maxRows = 10_000;

/** Reads the names of a document. Skips parts of the wrong type, because the document may be incomplete. */
export function readNames(data: unknown): Names {
  const rows = listAt(data, 'table', 'rows').slice(0, maxRows);
  const docs = rows.flatMap((row) => listAt(row, '_docs'));
  const keys = rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []));
  const statuses = valueAt(data, ['statuses']);
  return {
    columns: listAt(data, 'table', 'columns').flatMap(readColumn),
    rowKeys: [...new Set(keys)].filter((key) => !rowExtras.includes(key)),
    statuses: isObject(statuses) ? Object.entries(statuses).map(readStatus) : [],
    docTypes: [...new Set(docs.flatMap((doc) => textsIn([valueAt(doc, ['type'])])))],
    suggestions: textsIn(listAt(data, 'ai', 'suggestions')),
    items: Object.fromEntries(
      numberedLists.map((list) => [list, listAt(data, ...list.split('/')).map(nameOf)]),
    ),
  };
}

/** Adds names of an earlier version, which may be missing while the document is incomplete. */
export function mergeNames(now: Names, before: Names): Names {
  const items = Object.entries(now.items).map(([list, names]) => {
    const earlier = before.items[list] ?? [];
    return [list, names.length < earlier.length ? earlier : names] as const;
  });
  return {
    columns: union(now.columns, before.columns),
    rowKeys: [...new Set([...now.rowKeys, ...before.rowKeys])],
    statuses: union(now.statuses, before.statuses),
    docTypes: [...new Set([...now.docTypes, ...before.docTypes])],
    suggestions: [...new Set([...now.suggestions, ...before.suggestions])],
    items: Object.fromEntries(items),
  };
}

function union<Named extends { readonly key: string }>(
  now: readonly Named[],
  before: readonly Named[],
): readonly Named[] {
  const known = new Set(now.map(({ key }) => key));
  return [...now, ...before.filter(({ key }) => !known.has(key))];
}

function readColumn(column: unknown, index: number): readonly NamedColumn[] {
  const key = valueAt(column, ['key']);
  if (typeof key !== 'string') return [];
  const [label = ''] = textsIn([valueAt(column, ['label'])]);
  const [type = 'text'] = textsIn([valueAt(column, ['type'])]);
  return [{ index, key, label, type, values: textsIn(listAt(column, 'values')) }];
}

function readStatus([key, status]: readonly [string, unknown]): NamedStatus {
  const [label = ''] = textsIn([valueAt(status, ['label'])]);
  const [tone = ''] = textsIn([valueAt(status, ['tone'])]);
  return { key, label, tone, dim: valueAt(status, ['dim']) === true };
}

function nameOf(item: unknown): string {
  if (typeof item === 'string') return item;
  return textsIn(['label', 'title', 'name'].map((name) => valueAt(item, [name])))[0] ?? '';
}

function listAt(root: unknown, ...steps: readonly string[]): readonly unknown[] {
  const value = valueAt(root, steps);
  return Array.isArray(value) ? value : [];
}

function textsIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}
