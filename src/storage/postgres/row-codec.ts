import { type Field, type Fields, type FieldsOf, isField } from '../../base/record-fields.js';
import {
  type Columns,
  columnName,
  type Fragment,
  hexBytes,
  toStorable,
  type Value,
} from './sql.js';

/** The end of the year 9999, the last one with four digits. Records that never expire have this time. */
export const lastTime = Date.UTC(10_000, 0) - 1;

/** A member of a record and its column. `group` is the name of the nested object that contains the member, if any. */
interface Placed extends Field {
  readonly group: string | undefined;
  readonly name: string;
  readonly column: string;
}

type Members = Record<string, unknown>;

/** Returns a codec that converts records to rows of a table and back. A row may have further columns. */
export function createRowCodec<T extends object>(fields: FieldsOf<T>) {
  const all = place(fields as Fields);

  function* valuesIn(record: object): Generator<readonly [Placed, unknown]> {
    for (const placed of all) {
      const { group, name } = placed;
      const outer = (group === undefined ? record : (record as Members)[group]) as
        | Members
        | undefined;
      const value = outer?.[name];
      // The database assigns the ID of a new record.
      if (value !== undefined || name !== 'id') yield [placed, value ?? placed.absent ?? null];
    }
  }

  return {
    toRecord(row: object): T {
      const record: Members = {};
      for (const { group, name, column, type, absent = null, isNullable } of all) {
        const found = (row as Members)[column] ?? null;
        if (found === absent && !isNullable) continue;
        const value = type === 'time' ? Date.parse(String(found)) : found;
        if (group === undefined) record[name] = value;
        else record[group] = Object.assign(record[group] ?? {}, { [name]: value });
      }
      return record as T; // Columns have the types of their fields.
    },
    /** Returns every column as a parameter. */
    toRow: (record: T | Omit<T, 'id'>): Columns =>
      Object.fromEntries(
        [...valuesIn(record)].map(([placed, value]) => [placed.column, parameter(placed, value)]),
      ),
    /** Returns every column as JSON, for `jsonb_to_recordset`. */
    toJson: (record: T | Omit<T, 'id'>): object =>
      Object.fromEntries(
        [...valuesIn(record)].map(([{ column, type }, value]) => [
          column,
          type === 'text' && typeof value === 'string' ? toStorable(value) : value,
        ]),
      ),
  };
}

function place(fields: Fields, group?: string): Placed[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isField(field)) return place(field, name);
    const column =
      group === undefined ? name : `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return [{ column, ...field, group, name }];
  });
}

function parameter({ type }: Placed, value: unknown): Value {
  if (value === null) return null;
  if (type === 'bytea') return hexBytes(String(value));
  if (type === 'time') return new Date(Math.min(Number(value), lastTime));
  return value as Value; // Texts and numbers.
}

/** Returns the parts of a statement that inserts the JSON of new records, which have no ID yet. */
export function recordset(fields: Fields) {
  const columns = place(fields).filter(({ name }) => name !== 'id');
  const list = (textOf: (column: Placed) => string): Fragment => {
    const text = columns.map(textOf).join(', ');
    return { appendTo: (query) => query.addText(text) };
  };
  const typeIn = ({ type }: Placed) => (type === 'bytea' ? 'text' : type);
  return {
    /** The columns in the JSON. */
    definition: list((each) => `"${each.column}" ${typeIn(each)}`),
    /** The columns of the table. */
    names: list(({ column }) => columnName(column)),
    /** Their values. */
    values: list(({ column, type }) =>
      type === 'bytea' ? `decode("${column}", 'hex')` : `"${column}"`,
    ),
  };
}
