/**
 * Small readers that take a value of a known kind out of unknown data and leave out what is of the
 * wrong kind. They judge nothing (the schema does); they make drawing safe while a file is being edited.
 */

/** Takes a T out of an unknown value; `empty` stands in where a required value is missing. */
export interface Reader<T> {
  readonly empty: T;
  read(value: unknown): T | undefined;
}

/** A string; a number is taken as its text. */
export const text: Reader<string> = {
  empty: '',
  read: (value) =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined,
};

export const number: Reader<number> = {
  empty: 0,
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
};

export const flag: Reader<boolean> = {
  empty: false,
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** A number, or its wording. */
export const quantity: Reader<string | number> = {
  empty: '',
  read: (value) => number.read(value) ?? text.read(value),
};

/** One of the given words. */
export function oneOf<const T extends string>(words: readonly [T, ...T[]]): Reader<T> {
  return {
    empty: words[0],
    read: (value) => words.find((word) => word === value),
  };
}

/** Every item keeps its place, so that indexes and pointers into the list stay right. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return {
    empty: [],
    read: (value) =>
      Array.isArray(value) ? value.map((entry) => item.read(entry) ?? item.empty) : undefined,
  };
}

/** An object used as a dictionary. Own keys only, whatever their names. */
export function dictionary<T>(item: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return {
    empty: {},
    read(value) {
      if (!isObject(value)) return undefined;
      return Object.fromEntries(
        Object.entries(value).map(([key, entry]) => [key, item.read(entry) ?? item.empty]),
      );
    },
  };
}

/** An object with arbitrary contents, as it is. */
export const openObject: Reader<Readonly<Record<string, unknown>>> = {
  empty: {},
  read: (value) => (isObject(value) ? value : undefined),
};

type Fields<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

/** An object with known properties; the `required` ones are always there afterwards. */
export function record<T extends object>(
  fields: Fields<T>,
  required: readonly (keyof T & string)[] = [],
): Reader<T> {
  // The keys of Fields<T> are those of T.
  const readers = (Object.keys(fields) as (keyof T & string)[]).map((name) => {
    const { read, empty } = fields[name];
    return { name, read, missing: required.includes(name) ? empty : undefined };
  });
  const read = (value: unknown): T | undefined => {
    if (!isObject(value)) return undefined;
    const result: Partial<T> = {};
    for (const reader of readers) {
      const { name } = reader;
      const found = Object.hasOwn(value, name) ? reader.read(value[name]) : undefined;
      const taken = found ?? reader.missing;
      if (taken !== undefined) result[name] = taken;
    }
    return result as T; // every required property was set above
  };
  return { empty: read({}) as T, read }; // an object is never refused
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
