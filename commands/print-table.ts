import { formatTable, type TableColumn } from '../src/terminal/table.js';
import type { CommandContext } from './command.js';

/**
 * Rows under titles. Columns that say nothing are left out; on a terminal the rest is fitted to its
 * width, while a pipe gets everything.
 */
export function tableText<Row>(
  { output, stdout }: CommandContext,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): string {
  const telling = columns.filter(({ text }) => rows.some((row) => text(row) !== ''));
  const width = stdout.isTTY ? output.width : Number.POSITIVE_INFINITY;
  return formatTable({ rows, columns: telling, width, styleTitle: output.colors.dim });
}
