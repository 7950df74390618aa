import { escapeForeign } from '../base/foreign-text.js';
import { columnsOf, firstColumns, lastColumns } from '../base/text-columns.js';

/** A column of a table. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Minimum width on a narrow terminal. By default, the column is never shortened. */
  readonly shrinkTo?: number;
  /** Part of a shortened text that is kept; the start by default. */
  readonly keep?: 'start' | 'end';
  /** Columns with this number are omitted on a narrow terminal, starting with the highest number. */
  readonly optional?: number;
  text(row: Row): string;
  /** Colours the finished cell. */
  style?(cell: string, row: Row): string;
}

interface TableOptions<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  /** Width of the terminal, in columns. */
  readonly width: number;
  /** Colours the titles. */
  readonly styleTitle?: (text: string) => string;
}

const gap = '  ';

/** Returns a table that fits the terminal. Omits optional columns and shrinks columns if necessary. */
export function formatTable<Row>(options: TableOptions<Row>): string {
  const { rows, columns, width, styleTitle = (text) => text } = options;
  const sized = fitColumns(
    columns.map((column) => measure(column, rows)),
    width,
  );
  const line = (cell: (column: SizedColumn<Row>) => string) => sized.map(cell).join(gap).trimEnd();
  return [
    line(({ title, size, align }) => styleTitle(pad(title, size, align))),
    ...rows.map((row) =>
      line((column) => {
        const { size, align, keep, style = (cell) => cell } = column;
        return style(pad(cut(oneLine(column.text(row)), size, keep), size, align), row);
      }),
    ),
  ].join('\n');
}

/** Returns text as one line. Line breaks and tabs become spaces, and control characters are escaped. */
export function oneLine(text: string): string {
  return escapeForeign(text.replaceAll(/[\t\n\r\u2028\u2029]+/g, ' '));
}

interface SizedColumn<Row> extends TableColumn<Row> {
  /** Width in columns of the terminal. */
  size: number;
  /** Minimum width. */
  readonly min: number;
}

function measure<Row>(column: TableColumn<Row>, rows: readonly Row[]): SizedColumn<Row> {
  const size = rows.reduce(
    (widest, row) => Math.max(widest, columnsOf(oneLine(column.text(row)))),
    columnsOf(column.title),
  );
  return { ...column, size, min: Math.min(size, column.shrinkTo ?? size) };
}

/** Omits optional columns until the others can fit, then shrinks the widest columns step by step. */
function fitColumns<Row>(columns: SizedColumn<Row>[], width: number): SizedColumn<Row>[] {
  const total = (sizes: readonly number[]) =>
    sizes.reduce((sum, size) => sum + size, gap.length * (columns.length - 1));
  const last = Math.max(...columns.map(({ optional = -1 }) => optional));
  if (last >= 0 && total(columns.map(({ min }) => min)) > width) {
    const rest = columns.toSpliced(
      columns.findIndex(({ optional }) => optional === last),
      1,
    );
    return fitColumns(rest, width);
  }
  for (let excess = total(columns.map(({ size }) => size)) - width; excess > 0; excess--) {
    const shrinkable = columns.filter(({ size, min }) => size > min);
    const [widest] = shrinkable.sort((a, b) => b.size - a.size);
    if (!widest) break;
    widest.size -= 1;
  }
  return columns;
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return align === 'right' ? space + text : text + space;
}

function cut(text: string, width: number, keep: 'start' | 'end' = 'start'): string {
  if (columnsOf(text) <= width) return text;
  return keep === 'start'
    ? `${firstColumns(text, width - 1)}…`
    : `…${lastColumns(text, width - 1)}`;
}
