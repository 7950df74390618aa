import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { nearest } from '../../base/nearest.js';

/** The columns in export order. */
export const columns = [
  ...(['id', 'name', 'tagline', 'description', 'price', 'category'] as const),
  ...(['features', 'image'] as const),
] as const;

type Column = (typeof columns)[number];

/** An error in a CSV file. `column` is the name in the header. It is absent if the error concerns the whole line. */
export interface CsvFault {
  /** Starts at 1. 0 if the error concerns the whole file. */
  readonly line: number;
  readonly column?: string;
  readonly message: string;
}

/** The text of a record's cells by column. Columns that are not in the file are absent. */
export interface CsvRow {
  /** The line where the record starts. The first line is 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

/** Maximum number of rows in an imported CSV file. */
export const maxRows = 20_000;
/** Maximum size of an imported CSV file, in bytes. */
export const maxCsvBytes = 5 * 1024 * 1024;

/** A file's rows and errors. */
export interface CsvTable {
  readonly rows: readonly CsvRow[];
  readonly faults: readonly CsvFault[];
}

/** Reads a CSV file in UTF-8, with or without a byte order mark. The delimiter is a comma or a semicolon. */
export function readTable(bytes: Buffer): CsvTable {
  const encoding = encodingFault(bytes);
  if (encoding) return failed(encoding);
  const isMarked = bytes.subarray(0, 3).equals(mark);
  const records = readRecords(isMarked ? bytes.subarray(3) : bytes);
  if ('message' in records) return failed(records);
  const [head, ...rest] = records;
  if (!head || isBlank(head.cells)) return failed({ line: 1, message: 'has no header' });
  const header = readHeader(head.cells);
  if (header.faults.length > 0) return { rows: [], faults: header.faults };
  return readRows(rest, header.names);
}

const mark = Buffer.from('\ufeff');

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

function failed(fault: CsvFault): CsvTable {
  return { rows: [], faults: [fault] };
}

function encodingFault(bytes: Buffer): CsvFault | undefined {
  const isUtf16 = /^(?:fffe|feff|00[^0].|..00..00)/.test(bytes.toString('hex', 0, 4));
  if (isUtf16) {
    return { line: 0, message: 'The file is in UTF-16. Save it as CSV in UTF-8.' };
  }
  if (isUtf8(bytes)) return undefined;
  return { line: badLineOf(bytes), message: 'is not valid UTF-8. Save the file as CSV in UTF-8.' };
}

/** Returns the first line that is not UTF-8. In UTF-8, a line feed is never part of a multibyte character. */
function badLineOf(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found + 1;
    if (!isUtf8(bytes.subarray(start, end)) || found < 0) return line;
    start = end;
  }
}

/** Returns the records, including blank ones. It stops after the header and one record more than the maximum. */
function readRecords(content: Buffer): readonly CsvRecord[] | CsvFault {
  try {
    const found = parse(content, {
      delimiter: delimiterOf(content),
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      to: maxRows + 2,
    }) as unknown as readonly ParsedRecord[]; // The `info` option changes the type of a record.
    let begin = 0;
    let line = 1;
    return found.map(({ record, info }) => {
      const begun = line;
      line += lineBreaks(content, begin, info.bytes);
      begin = info.bytes;
      return { line: begun, cells: record };
    });
  } catch (error) {
    return asFault(error, content);
  }
}

interface ParsedRecord {
  readonly record: readonly string[];
  /** `bytes` is the offset of the record's end. The package's line count is wrong for cells that contain CRLF. */
  readonly info: { readonly bytes: number };
}

function lineBreaks(content: Buffer, from: number, to: number): number {
  return content.toString('latin1', from, to).match(/\r\n|[\r\n]/g)?.length ?? 0;
}

/** Number of bytes at the start of a CSV file in which the delimiter is searched. */
const headerBytes = 1_000;

/** Returns the first delimiter in the header. No column name contains one. */
function delimiterOf(content: Buffer): string {
  return /[,;\r\n]/.exec(content.toString('latin1', 0, headerBytes))?.[0] === ';' ? ';' : ',';
}

const syntaxFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quotation mark',
  INVALID_OPENING_QUOTE: 'has a quotation mark in a cell that does not start with one',
};

/** Translates a syntax error of the CSV parser. Other errors are rethrown. */
function asFault(error: unknown, content: Buffer): CsvFault {
  const { code, bytes } = error as { readonly code?: string; readonly bytes?: number };
  const message = syntaxFaults[code ?? ''];
  if (message === undefined || bytes === undefined) throw error;
  const line = lineBreaks(content, 0, bytes) + 1;
  return { line, message: `${message}; write a literal quotation mark twice` };
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function readHeader(cells: readonly string[]): { names: readonly Column[]; faults: CsvFault[] } {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const faults = names.flatMap((name, index) => {
    const fault = headerFault(name, names.slice(0, index));
    return fault === undefined
      ? []
      : [{ line: 1, column: shorten(cells[index] ?? ''), message: fault }];
  });
  // If there are no errors, every name is one of the columns.
  return { names: names as Column[], faults };
}

function headerFault(name: string, before: readonly string[]): string | undefined {
  if ((columns as readonly string[]).includes(name)) {
    return before.includes(name) ? 'appears twice' : undefined;
  }
  const meant = nearest(name, columns);
  const advice =
    meant === undefined ? `the columns are ${columns.join(', ')}` : `did you mean ${meant}?`;
  return `is not a column of products; ${advice}`;
}

/** Maximum length of an unknown column name in an error message, in characters. */
const maxNameLength = 40;

function shorten(name: string): string {
  const trimmed = name.trim();
  return trimmed.length > maxNameLength ? `${trimmed.slice(0, maxNameLength)}…` : trimmed;
}

function readRows(records: readonly CsvRecord[], names: readonly Column[]): CsvTable {
  const filled = records.filter(({ cells }) => !isBlank(cells));
  if (records.length > maxRows) {
    const message = `The file has more than ${maxRows} rows. Import it in parts.`;
    return failed({ line: 0, message });
  }
  const faults = filled
    .filter(({ cells }) => cells.length !== names.length)
    .map(({ line, cells }) => ({
      line,
      message: `has ${cells.length} cells, but the header has ${names.length}`,
    }));
  const rows = filled
    .filter(({ cells }) => cells.length === names.length)
    .map(({ line, cells }) => ({ line, cells: rowOf(names, cells) }));
  return { rows, faults };
}

function rowOf(names: readonly Column[], cells: readonly string[]): CsvRow['cells'] {
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}
