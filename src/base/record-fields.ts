/** The types of columns. In a record, bytes are hex digits, and a `time` is milliseconds since the epoch. */
export type ColumnType = 'bigint' | 'text' | 'timestamptz' | 'bytea' | 'time';

/** How a database stores a member of a record, and who sees it. */
export interface Field {
  readonly type: ColumnType;
  /** The column's name in camelCase; by default the member's name, after that of its object: `deletedAt`. */
  readonly column?: string;
  /** The column's value for an absent member; null by default. */
  readonly absent?: number;
  /** True if null is a value of the member. */
  readonly isNullable?: true;
  /** True if everybody who may see the record may see the member. */
  readonly isShown?: true;
}

/** Every member of a kind of record, in the order of exports. A missing or unknown member does not compile. */
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

/** Returns a record with its members in the order of exports, without those that equal their absent value. */
export function inOrder<T extends object>(fields: FieldsOf<T>, record: T): T {
  return pick(fields as Fields, record, (field) => field.absent) as T; // The fields are all that it may have.
}

/** Names of the members that everybody may see. */
type ShownNames<F> = {
  [Name in keyof F]: F[Name] extends { isShown: true } ? Name : never;
}[keyof F];

/** The part of a record for everybody who may see the record. */
export type Shown<T, F extends FieldsOf<T>> = Pick<T, ShownNames<F> & keyof T>;

/** Returns a function that returns the part of a record for everybody who may see the record. */
export function shownPart<T extends object, const F extends FieldsOf<T>>(
  fields: F,
): (record: T) => Shown<T, F> {
  const shown = Object.entries(fields as Fields).filter(([, field]) => field.isShown);
  const own = Object.fromEntries(shown);
  return (record) => pick(own, record) as Shown<T, F>; // The filter is that of the type.
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
