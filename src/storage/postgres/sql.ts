import { stringifyExact } from '../../json/exact-json.js';

/** A row as it is read: columns have their names in camelCase (`owner_id` is `ownerId`). */
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

/** A parameter that is sent as it is. */
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
  /** False if the text differs from call to call, so that preparing the statement is of no use. */
  readonly isPrepared: boolean;
}

/** Sends a query and returns its rows. */
export type Execute = (query: Query) => Promise<readonly Row[]>;

/**
 * Tagged templates that become statements: each value becomes a parameter, or a part of the text if it is another
 * template or made by `identifier`, `valuesOf` or `assignments`. A statement is sent when it is first awaited.
 */
export interface Sql {
  <Rows extends readonly object[] = readonly Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly (Value | Fragment)[]
  ): Statement<Rows>;
  /** Sends a text of any number of statements as it is; returns the rows of the last one. */
  unsafe<Rows extends readonly object[] = readonly Row[]>(text: string): Statement<Rows>;
}

/** Sends statements within one transaction. */
export interface TransactionSql extends Sql {
  readonly isTransaction: true;
}

/** A part of a statement. */
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

  /** Rejects, and sends nothing, if a value cannot be a parameter. */
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

/** Returns a value in PostgreSQL's text format; the client writes arrays. Throws if there is no such text. */
function encode(value: Value): string | null | readonly unknown[] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return toStorable(value);
  if (value instanceof Parameter) return value.text;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(encode);
  return String(value);
}

/** A value for a column of the type `json`; integers keep every digit. */
export function json(value: unknown): Parameter {
  return new Parameter(stringifyExact(value));
}

/** Bytes, as hex digits, for a column of the type `bytea`. */
export function hexBytes(hex: string): Parameter {
  return new Parameter(`\\x${hex}`);
}

/** The name of a table, a sequence or a column, with its schema if it has one (`msgsite.users`). */
export function identifier(text: string): Fragment {
  return { appendTo: (query) => query.addText(text.split('.').map(quote).join('.')) };
}

/** Values of a column by its name in camelCase. */
export type Columns = Readonly<Record<string, Value>>;

/** `(columns) values (…), (…)` for an insert; all rows have the columns of the first one. */
export function valuesOf(given: object | readonly object[]): Fragment {
  const rows: readonly object[] = Array.isArray(given) ? given : [given];
  const names = Object.keys(rows[0] ?? {});
  return {
    appendTo(query) {
      // The server would keep one prepared statement for each number of rows.
      query.isPrepared &&= rows.length === 1;
      query.addText(`(${names.map(columnName).join(', ')}) values `);
      for (const [index, row] of rows.entries()) {
        query.addText(index === 0 ? '(' : '), (');
        for (const [place, name] of names.entries()) {
          if (place > 0) query.addText(', ');
          query.add((row as Columns)[name]);
        }
      }
      query.addText(')');
    },
  };
}

/** The columns of a row, for an insert. */
export function columnNames(row: Columns): Fragment {
  return { appendTo: (query) => query.addText(Object.keys(row).map(columnName).join(', ')) };
}

/** The values of a row, in the order of `columnNames`. */
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

/** `column = …, column = …` for an update. */
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

/** The name of a column, quoted, from its name in camelCase. */
export function columnName(text: string): string {
  return quote(text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * The first character of escapes. PostgreSQL's text cannot contain U+0000, but JSON's can, so it is stored as this
 * character of the private use area and `0`. The character itself is doubled. Both occur almost never, and equal texts
 * stay equal.
 */
const mark = '\uf8f0';
const nul = '\0';

/** Returns a text as the database stores it. */
export function toStorable(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text;
  return text.replaceAll(mark, mark + mark).replaceAll(nul, `${mark}0`);
}

/** Returns the original of a stored text. */
export function fromStorable(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replace(/\uf8f0([\uf8f00])/g, (_, second) => (second === '0' ? nul : mark));
}
