import { type Fields, ScreenDefinition, type Shape, type Table } from '#screen-definition';
import { isObject } from '../../json/pointers.js';

/**
 * Takes a T out of an unknown value, or nothing where that is of the wrong kind. Readers judge nothing
 * (the schema does); they make drawing safe while a file is being edited.
 */
interface Reader<T> {
  /** Stands in where there has to be a T. */
  readonly empty: T;
  read(value: unknown): T | undefined;
}

/** The reader of what a table of the screen contract describes. */
export function readerOf<T>(shape: Shape<T>): Reader<T> {
  return make(shape) as Reader<T>; // The schema that the table is made from describes a T.
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
  /** A number is taken as its text. */
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

/** Every item keeps its place, so that indexes and pointers into the list stay right. */
function list({ read, empty }: Reader<unknown>): Reader<unknown> {
  return {
    empty: [],
    read: (value) => (Array.isArray(value) ? value.map((item) => read(item) ?? empty) : undefined),
  };
}

/** Own keys only, whatever their names. */
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

/** The `required` properties are always there afterwards. */
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
 * What can be used of a parsed JSON document, as a definition. A valid document comes back as it is
 * (unknown properties left out); of any other, parts of the wrong kind are missing or empty.
 */
export function readDefinition(value: unknown): ScreenDefinition {
  return definition.read(value) ?? definition.empty;
}
