import { escapeForeign } from '../base/foreign-text.js';
import { columnsOf, firstColumns, lastColumns } from '../base/text-columns.js';

/** A column of a table. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The smallest width on a narrow terminal; by default, the column is never shortened. */
  readonly shrinkTo?: number;
  /** The part of a shortened text that remains; the start by default. */
  readonly keep?: 'start' | 'end';
  /** Columns with this number are left out on a narrow terminal, the highest number first. */
  readonly optional?: number;
  text(row: Row): string;
  /** Colours the finished cell. */
  style?(cell: string, row: Row): string;
}

interface TableOptions<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  /** Columns of the terminal. */
  readonly width: number;
  /** Colours the titles. */
  readonly styleTitle?: (text: string) => string;
}

const gap = '  ';

/** Returns a table that fits the terminal: shrinks columns, then leaves out optional ones. */
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

/** Returns text on one line: line breaks and tabs become spaces, and control characters are escaped. */
export function oneLine(text: string): string {
  return escapeForeign(text.replaceAll(/[\t\n\r\u2028\u2029]+/g, ' '));
}

interface SizedColumn<Row> extends TableColumn<Row> {
  /** The width in columns of the terminal. */
  size: number;
  /** The smallest width. */
  readonly least: number;
}

function measure<Row>(column: TableColumn<Row>, rows: readonly Row[]): SizedColumn<Row> {
  const size = rows.reduce(
    (widest, row) => Math.max(widest, columnsOf(oneLine(column.text(row)))),
    columnsOf(column.title),
  );
  return { ...column, size, least: Math.min(size, column.shrinkTo ?? size) };
}

/** Leaves out optional columns until the others can fit, then shrinks the widest columns step by step. */
function fitColumns<Row>(columns: SizedColumn<Row>[], width: number): SizedColumn<Row>[] {
  const total = (sizes: readonly number[]) =>
    sizes.reduce((sum, size) => sum + size, gap.length * (columns.length - 1));
  const most = Math.max(...columns.map(({ optional = -1 }) => optional));
  if (most >= 0 && total(columns.map(({ least }) => least)) > width) {
    const rest = columns.toSpliced(
      columns.findIndex(({ optional }) => optional === most),
      1,
    );
    return fitColumns(rest, width);
  }
  for (let excess = total(columns.map(({ size }) => size)) - width; excess > 0; excess--) {
    const shrinkable = columns.filter(({ size, least }) => size > least);
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
