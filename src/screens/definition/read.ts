import { type Fields, ScreenDefinition, type Shape, type Table } from '#screen-definition';
import { isObject } from '../../json/pointers.js';

/**
 * What can be used of a parsed JSON document, as a definition. A valid document comes back as it is
 * (unknown properties left out); of any other, parts of the wrong kind are missing or empty.
 */
export function readDefinition(value: unknown): ScreenDefinition {
  return certainly(ScreenDefinition, value) as ScreenDefinition; // As in `read`.
}

/**
 * A value of a known kind out of unknown data; undefined where it is of the wrong kind. This judges
 * nothing (the schema does); it makes drawing safe while a file is being edited.
 */
export function read<T>(shape: Shape<T>, value: unknown): T | undefined {
  return take(shape, value) as T | undefined; // The schema that the table is made from describes a T.
}

function take(table: Table, value: unknown): unknown {
  if (typeof table === 'string') return kinds[table](value);
  if ('words' in table) return table.words.find((word) => word === value);
  if ('items' in table) {
    // Every item keeps its place, so that indexes and pointers into the list stay right.
    return Array.isArray(value) ? value.map((item) => certainly(table.items, item)) : undefined;
  }
  if (!isObject(value)) return undefined;
  if ('fields' in table) return table.open ? value : takeFields(table, value);
  // Own keys only, whatever their names.
  const entries = Object.entries(value).map(([key, item]) => [key, certainly(table.each, item)]);
  return Object.fromEntries(entries);
}

const kinds = {
  /** A number is taken as its text. */
  text: (value: unknown) =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined,
  number: (value: unknown) => (Number.isFinite(value) ? value : undefined),
  flag: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  quantity: (value: unknown) => kinds.number(value) ?? kinds.text(value),
};

function takeFields({ fields, required = [] }: Fields, value: Readonly<Record<string, unknown>>) {
  const taken: Record<string, unknown> = {};
  for (const [name, table] of Object.entries(fields)) {
    const found = Object.hasOwn(value, name) ? take(table, value[name]) : undefined;
    const kept = found ?? (required.includes(name) ? emptyOf(table) : undefined);
    if (kept !== undefined) taken[name] = kept;
  }
  return taken;
}

function certainly(table: Table, value: unknown): unknown {
  return take(table, value) ?? emptyOf(table);
}

/** What stands in where a value has to be there and is missing. */
function emptyOf(table: Table): unknown {
  if (table === 'number') return 0;
  if (table === 'flag') return false;
  if (typeof table === 'string') return '';
  if ('words' in table) return table.words[0];
  if ('items' in table) return [];
  return 'fields' in table ? (table.empty ?? take(table, {})) : {};
}
