import { type Fields, ScreenDefinition, type Shape, type Table } from '#screen-definition';
import { isObject } from '../../json/pointers.js';

/**
 * Reads a T from an unknown value. Readers do not validate the value; they make it safe to render a file while it is
 * being edited.
 */
interface Reader<T> {
  /** Value used for a required property that is missing. */
  readonly empty: T;
  /** Returns undefined if the value has the wrong type. */
  read(value: unknown): T | undefined;
}

/** Returns the reader for a type of the screen contract. */
export function readerOf<T>(shape: Shape<T>): Reader<T> {
  return make(shape) as Reader<T>; // The shape is generated from the schema of T.
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
  /** Converts numbers to text. */
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

/** Replaces invalid items instead of removing them, so that references by index stay valid. */
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

/** Reads an object. Required properties are always present in the result. */
function record({ fields, required = [], empty }: Fields): Reader<unknown> {
  const readers = Object.entries(fields).map(([name, table]) => {
    const reader = make(table);
    return { name, read: reader.read, missing: required.includes(name) ? reader.empty : undefined };
  });
  const read = (value: unknown) => {
    if (!isObject(value)) return undefined;
    const result: Record<string, unknown> = {};
    for (const { name, read, missing } of readers) {
      const property = (Object.hasOwn(value, name) ? read(value[name]) : undefined) ?? missing;
      if (property !== undefined) result[name] = property;
    }
    return result;
  };
  return { empty: empty ?? read({}), read };
}

const definition = readerOf(ScreenDefinition);

/**
 * Converts a parsed JSON document to a definition. Drops unknown properties. Parts that have the wrong type are missing
 * or empty in the result.
 */
export function readDefinition(value: unknown): ScreenDefinition {
  return definition.read(value) ?? definition.empty;
}
