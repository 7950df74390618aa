import { type Fields, ScreenDefinition, type Shape, type Table } from '#screen-definition';
import { isObject } from '../../json/pointers.js';

/**
 * Reads a T from an unknown value, or undefined if the type is wrong. Validation is left to the schema; readers make it
 * safe to render a file while it is being edited.
 */
interface Reader<T> {
  /** Used if a required value is missing. */
  readonly empty: T;
  read(value: unknown): T | undefined;
}

/** Returns the reader for a table of the screen contract. */
export function readerOf<T>(shape: Shape<T>): Reader<T> {
  return make(shape) as Reader<T>; // The table is generated from the schema of T.
}

function make(table: Table): Reader<unknown> {
  if (typeof table === 'string') return kinds[table];
  if ('words' in table) {
    const { words } = table;
    return { empty: words[0], read: (value) => words.find((word) => word === value) };
  }
  if ('items' in table) return list(make(table.items));
  if ('each' in table) return dictionary(make(table.each));
  return table.open ? openObject : record(table);
}

const text: Reader<string> = {
  empty: '',
  /** Accepts a number as text. */
  read: (value) =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined,
};

const number: Reader<number> = {
  empty: 0,
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
};

const kinds = {
  text,
  number,
  flag: {
    empty: false,
    read: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  },
  quantity: { empty: '', read: (value: unknown) => number.read(value) ?? text.read(value) },
};

/** Keeps the index of every item, so that references to items stay valid. */
function list({ read, empty }: Reader<unknown>): Reader<unknown> {
  return {
    empty: [],
    read: (value) => (Array.isArray(value) ? value.map((item) => read(item) ?? empty) : undefined),
  };
}

function dictionary({ read, empty }: Reader<unknown>): Reader<unknown> {
  return {
    empty: {},
    read(value) {
      if (!isObject(value)) return undefined;
      return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, read(it) ?? empty]));
    },
  };
}

const openObject: Reader<unknown> = {
  empty: {},
  read: (value) => (isObject(value) ? value : undefined),
};

/** Reads an object; required properties are always present in the result. */
function record({ fields, required = [], empty }: Fields): Reader<unknown> {
  const readers = Object.entries(fields).map(([name, table]) => {
    const reader = make(table);
    return { name, read: reader.read, missing: required.includes(name) ? reader.empty : undefined };
  });
  const read = (value: unknown) => {
    if (!isObject(value)) return undefined;
    const result: Record<string, unknown> = {};
    for (const { name, read, missing } of readers) {
      const found = Object.hasOwn(value, name) ? read(value[name]) : undefined;
      const taken = found ?? missing;
      if (taken !== undefined) result[name] = taken;
    }
    return result;
  };
  return { empty: empty ?? read({}), read };
}

const definition = readerOf(ScreenDefinition);

/**
 * Reads a parsed JSON document as a definition. Leaves out unknown properties; in an invalid document, parts of the
 * wrong type are missing or empty.
 */
export function readDefinition(value: unknown): ScreenDefinition {
  return definition.read(value) ?? definition.empty;
}
