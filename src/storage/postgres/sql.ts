import { stringifyExact } from '../../json/exact-json.js';

/** A row of a result. Column names are in camelCase (`owner_id` is `ownerId`). */
export type Row = Readonly<Record<string, unknown>>;

/** A value that becomes a parameter of a statement. Times are stored in UTC, undefined as null. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | Parameter
  | readonly Value[];

/** A parameter that is sent unchanged. */
export class Parameter {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A piece of a statement's text, with its parameters. */
export interface Fragment {
  appendTo(query: QueryBuilder): void;
}

/** A statement as it is sent. */
export interface Query {
  readonly text: string;
  readonly values: readonly (string | null | readonly unknown[])[];
  /** False if the text differs from call to call, so that preparing the statement has no benefit. */
  readonly isPrepared: boolean;
}

/** Sends a query and returns its rows. */
export type Execute = (query: Query) => Promise<readonly Row[]>;

/**
 * Template tags for statements. Each value becomes a parameter, or a part of the text if it is another template or was
 * created by `identifier`, `valuesOf` or `assignments`. A statement is sent when it is first awaited.
 */
export interface Sql {
  <Rows extends readonly object[] = readonly Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly (Value | Fragment)[]
  ): Statement<Rows>;
  /** Sends a text of any number of statements unchanged. Returns the rows of the last one. */
  unsafe<Rows extends readonly object[] = readonly Row[]>(text: string): Statement<Rows>;
}

/** Sends statements within one transaction. */
export interface TransactionSql extends Sql {
  readonly isTransaction: true;
}

/** Returns a part of a statement. */
export function part(
  strings: TemplateStringsArray,
  ...values: readonly (Value | Fragment)[]
): Fragment {
  return {
    appendTo(query) {
      for (const [index, text] of strings.entries()) {
        query.addText(text);
        if (index < values.length) query.add(values[index]);
      }
    },
  };
}

/** A statement that is sent when it is first awaited, or a part of another one. */
export class Statement<Rows> implements PromiseLike<Rows>, Fragment {
  private readonly execute: Execute;
  private readonly content: Fragment;
  private result: Promise<Rows> | undefined;

  constructor(execute: Execute, content: Fragment) {
    this.execute = execute;
    this.content = content;
  }

  appendTo(query: QueryBuilder): void {
    this.content.appendTo(query);
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited like a promise.
  then<Result = Rows, Failure = never>(
    onDone?: ((rows: Rows) => Result | PromiseLike<Result>) | null,
    onFailed?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.send().then(onDone, onFailed);
  }

  catch<Failure>(onFailed: (error: unknown) => Failure): Promise<Rows | Failure> {
    return this.send().catch(onFailed);
  }

  private send(): Promise<Rows> {
    this.result ??= this.sendNow();
    return this.result;
  }

  /** Rejects without sending anything if a value cannot be a parameter. */
  private async sendNow(): Promise<Rows> {
    const query = new QueryBuilder();
    this.appendTo(query);
    // The caller names the type of the rows that its statement selects.
    return (await this.execute(query)) as Rows;
  }
}

/** Returns a template tag whose statements are sent by `execute`. */
export function createSql(execute: Execute): Sql {
  const tag = <Rows>(strings: TemplateStringsArray, ...values: readonly (Value | Fragment)[]) =>
    new Statement<Rows>(execute, part(strings, ...values));
  return Object.assign(tag, {
    unsafe: <Rows>(text: string) =>
      new Statement<Rows>((query) => execute({ ...query, isPrepared: false }), {
        appendTo: (query) => query.addText(text),
      }),
  });
}

class QueryBuilder implements Query {
  text = '';
  isPrepared = true;
  readonly values: (string | null | readonly unknown[])[] = [];

  addText(text: string): void {
    this.text += text;
  }

  add(value: Value | Fragment): void {
    if (isFragment(value)) {
      value.appendTo(this);
    } else {
      this.values.push(encode(value));
      this.text += `$${this.values.length}`;
    }
  }
}

function isFragment(value: Value | Fragment): value is Fragment {
  return typeof value === 'object' && value !== null && 'appendTo' in value;
}

/** Returns a value in PostgreSQL's text format; the client writes arrays. Throws if that is impossible. */
function encode(value: Value): string | null | readonly unknown[] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return toStorable(value);
  if (value instanceof Parameter) return value.text;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(encode);
  return String(value);
}

/** Returns a value for a column of type `json`. Integers keep every digit. */
export function json(value: unknown): Parameter {
  return new Parameter(stringifyExact(value));
}

/** Returns a value for a column of type `bytea` from hex digits. */
export function hexBytes(hex: string): Parameter {
  return new Parameter(`\\x${hex}`);
}

/** Returns the quoted name of a table, sequence or column, with its schema if it has one (`msgsite.users`). */
export function identifier(text: string): Fragment {
  return { appendTo: (query) => query.addText(text.split('.').map(quote).join('.')) };
}

/** The values of a row, by the name of the column in camelCase. */
export type Columns = Readonly<Record<string, Value>>;

/** Returns `(columns) values (…), (…)` for an insert. All rows have the columns of the first one. */
export function valuesOf(input: object | readonly object[]): Fragment {
  const rows: readonly object[] = Array.isArray(input) ? input : [input];
  const names = Object.keys(rows[0] ?? {});
  return {
    appendTo(query) {
      // The server would store a prepared statement for each number of rows.
      query.isPrepared &&= rows.length === 1;
      query.addText(`(${names.map(columnName).join(', ')}) values `);
      for (const [index, row] of rows.entries()) {
        query.addText(index === 0 ? '(' : '), (');
        for (const [position, name] of names.entries()) {
          if (position > 0) query.addText(', ');
          query.add((row as Columns)[name]);
        }
      }
      query.addText(')');
    },
  };
}

/** Returns the column names of a row, for an insert. */
export function columnNames(row: Columns): Fragment {
  return { appendTo: (query) => query.addText(Object.keys(row).map(columnName).join(', ')) };
}

/** Returns the values of a row, in the order of `columnNames`. */
export function columnValues(row: Columns): Fragment {
  return {
    appendTo(query) {
      for (const [index, value] of Object.values(row).entries()) {
        if (index > 0) query.addText(', ');
        query.add(value);
      }
    },
  };
}

/** Returns `column = …, column = …` for an update. */
export function assignments(columns: object): Fragment {
  return {
    appendTo(query) {
      for (const [index, [each, value]] of Object.entries(columns as Columns).entries()) {
        query.addText(`${index > 0 ? ', ' : ''}${columnName(each)} = `);
        query.add(value);
      }
    },
  };
}

/** Returns the quoted name of a column from its name in camelCase. */
export function columnName(text: string): string {
  return quote(text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * The first character of escape sequences. Text in PostgreSQL cannot contain U+0000, but strings in JSON can, so it is
 * stored as this private-use character and `0`. The character itself is doubled. Both are very rare, and equal texts
 * remain equal.
 */
const mark = '\uf8f0';
const nul = '\0';

/** Returns a text as the database stores it. */
export function toStorable(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text;
  return text.replaceAll(mark, mark + mark).replaceAll(nul, `${mark}0`);
}

/** Returns the original text of a stored one. */
export function fromStorable(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replace(/\uf8f0([\uf8f00])/g, (_, second) => (second === '0' ? nul : mark));
}
