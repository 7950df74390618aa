import { escapeForeign } from '../base/foreign-text.js';
import { columnsOf, firstColumns, lastColumns } from '../base/text-columns.js';

/** A column of a table for people. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Cut to this width at worst, where the terminal is narrow; without it, it is never cut. */
  readonly shrinkTo?: number;
  /** What stays of a text that is cut: its start unless told. */
  readonly keep?: 'start' | 'end';
  /** Left out where the terminal is too narrow, the highest number first; without it, always shown. */
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

/** Rows under titles, fitted to the terminal: columns shrink, then the optional ones go. */
export function formatTable<Row>(options: TableOptions<Row>): string {
  const { rows, width, styleTitle = (text: string) => text } = options;
  const columns = [...options.columns];
  let widths = columns.map((column) => naturalWidth(column, rows));
  while (leastWidth(columns, widths) > width) {
    const at = mostOptional(columns);
    if (at === undefined) break;
    columns.splice(at, 1);
    widths = widths.toSpliced(at, 1);
  }
  widths = shrink(columns, widths, width);
  const line = (cell: (column: TableColumn<Row>, width: number) => string) =>
    columns
      .map((column, index) => cell(column, widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  return [
    line((column, size) => styleTitle(pad(column.title, size, column.align))),
    ...rows.map((row) =>
      line((column, size) => {
        const text = cut(oneLine(column.text(row)), size, column.keep);
        const cell = pad(text, size, column.align);
        return column.style ? column.style(cell, row) : cell;
      }),
    ),
  ].join('\n');
}

/** Text on one line, whose width is what it seems: white space becomes a space, the unseen is shown. */
export function oneLine(text: string): string {
  return escapeForeign(text.replaceAll(/[\t\n\r\u2028\u2029]+/g, ' '));
}

function naturalWidth<Row>(column: TableColumn<Row>, rows: readonly Row[]): number {
  return rows.reduce(
    (widest, row) => Math.max(widest, columnsOf(oneLine(column.text(row)))),
    columnsOf(column.title),
  );
}

function leastWidth<Row>(columns: readonly TableColumn<Row>[], widths: readonly number[]): number {
  return total(columns.map((column, index) => floorOf(column, widths[index] ?? 0)));
}

function floorOf<Row>({ shrinkTo }: TableColumn<Row>, natural: number): number {
  return shrinkTo === undefined ? natural : Math.min(natural, shrinkTo);
}

function mostOptional<Row>(columns: readonly TableColumn<Row>[]): number | undefined {
  let found: number | undefined;
  columns.forEach(({ optional }, index) => {
    if (optional === undefined) return;
    const best = found === undefined ? -1 : (columns[found]?.optional ?? -1);
    if (optional > best) found = index;
  });
  return found;
}

/** Takes the excess from the widest column that may shrink, again and again. */
function shrink<Row>(
  columns: readonly TableColumn<Row>[],
  natural: readonly number[],
  width: number,
): number[] {
  const widths = [...natural];
  for (let excess = total(widths) - width; excess > 0; excess--) {
    let widest: number | undefined;
    columns.forEach((column, index) => {
      const size = widths[index] ?? 0;
      if (size <= floorOf(column, natural[index] ?? 0)) return;
      if (widest === undefined || size > (widths[widest] ?? 0)) widest = index;
    });
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
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
