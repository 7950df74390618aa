/** The types of columns. In a record, bytes are written as hex digits and a `time` as milliseconds since the epoch. */
export type ColumnType = 'bigint' | 'text' | 'timestamptz' | 'bytea' | 'time';

/** The column that stores a member of a record, and the member's visibility. */
export interface Field {
  readonly type: ColumnType;
  /** The column's name in camelCase. By default, the names of the parent object and the member: `deletedAt`. */
  readonly column?: string;
  /** The column's value for an absent member; null by default. */
  readonly absent?: number;
  /** True if the member may be null. */
  readonly isNullable?: true;
  /** True if everyone who may see the record may see the member. */
  readonly isShown?: true;
}

/** All members of a kind of record, in the order of exports. A missing or unknown member is a compile error. */
export type FieldsOf<T> = {
  readonly [Name in keyof T]-?: NonNullable<T[Name]> extends object
    ? FieldsOf<NonNullable<T[Name]>>
    : Field;
};

/** The fields of any kind of record. */
export interface Fields {
  readonly [name: string]: Field | Fields;
}

export function isField(field: Field | Fields): field is Field {
  return typeof field.type === 'string';
}

/** Returns a record with its members in the order of exports. Members that equal their `absent` value are omitted. */
export function inOrder<T extends object>(fields: FieldsOf<T>, record: T): T {
  return pick(fields as Fields, record, (field) => field.absent) as T; // The fields list all members of T.
}

type ShownNames<F> = {
  [Name in keyof F]: F[Name] extends { isShown: true } ? Name : never;
}[keyof F];

/** The members of a record that everyone who may see the record may see. */
export type Shown<T, F extends FieldsOf<T>> = Pick<T, ShownNames<F> & keyof T>;

/** Returns a function that picks the `Shown` members of a record. */
export function shownPart<T extends object, const F extends FieldsOf<T>>(
  fields: F,
): (record: T) => Shown<T, F> {
  const shown = Object.entries(fields as Fields).filter(([, field]) => field.isShown);
  const shownFields = Object.fromEntries(shown);
  return (record) => pick(shownFields, record) as Shown<T, F>; // The filter matches the type.
}

function pick(
  fields: Fields,
  record: object,
  absent: (field: Field) => unknown = () => undefined,
): object {
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = (record as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    if (!isField(field)) picked[name] = pick(field, value as object, absent);
    else if (value !== absent(field)) picked[name] = value;
  }
  return picked;
}
