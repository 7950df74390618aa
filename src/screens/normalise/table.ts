import {
  type ScreenDefinition,
  type StatusesStatusDefinition,
  type TableColumnDefinition,
  TableRowDefinition,
  type TableRowDocumentDefinition,
} from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { readerOf } from '../definition/read.js';
import { byKey, cellOf, eachCell, plainText } from '../definition/values.js';
import type { Degrade } from './degradation.js';

/** Default number of rows on a page. */
const defaultPageSize = 12;

export interface ScreenStatus extends StatusesStatusDefinition {
  readonly key: string;
  readonly dim: boolean;
}

/** A column with its defaults. */
export interface ScreenColumn extends Pick<TableColumnDefinition, 'key' | 'label'> {
  readonly type: NonNullable<TableColumnDefinition['type']>;
  /** Key of the field that is shown as a subtitle under the value. */
  readonly sub: string | undefined;
  /** Allowed values of a status or enum column. */
  readonly values: readonly string[] | undefined;
  readonly align: 'left' | 'right';
  readonly sortable: boolean;
  /** A valid CSS length, or undefined if the width depends on the content. */
  readonly width: string | undefined;
}

export interface ScreenRow {
  /** Index in `table.rows`. */
  readonly index: number;
  readonly cells: TableRowDefinition;
  /** Key of the row's status. It may be missing from `statuses`. */
  readonly status: string | undefined;
  readonly flags: readonly string[];
  readonly docs: readonly TableRowDocumentDefinition[];
}

export type ScreenTable = NonNullable<ReturnType<typeof normaliseTable>>;

export function normaliseStatuses(definition: ScreenDefinition): readonly ScreenStatus[] {
  return Object.entries(definition.statuses ?? {}).map(([key, { label, tone, dim = false }]) => ({
    key,
    label,
    tone,
    dim,
  }));
}

/** Returns the table with its defaults, or undefined without columns. */
export function normaliseTable(
  { table }: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
) {
  if (table === undefined || table.columns.length === 0) return undefined;
  const columns = table.columns.map((column, index) => normaliseColumn(column, index, degrade));
  // The column that contains the row's status.
  const statusColumn = columns.find(({ type }) => type === 'status');
  const rows = table.rows.map((row, index) => normaliseRow(row, index, statusColumn));
  const pageSize = Math.max(1, Math.floor(table.pageSize ?? defaultPageSize));
  checkStatuses(columns, table.rows, statuses, degrade);
  const filters = statusColumn ? countStatuses(rows, statuses) : [];
  return { columns, rows, pageSize, paged: rows.length > pageSize, statusColumn, filters };
}

/** Returns the number of rows per status, for the filter tabs. */
function countStatuses(rows: readonly ScreenRow[], statuses: readonly ScreenStatus[]) {
  const counts = new Map<string | undefined, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return statuses.map((status) => ({ status, count: counts.get(status.key) ?? 0 }));
}

function normaliseColumn(
  column: TableColumnDefinition,
  index: number,
  degrade: Degrade,
): ScreenColumn {
  const type = column.type ?? 'text';
  const width = column.width === undefined ? undefined : readLength(column.width);
  if (column.width !== undefined && width === undefined) {
    degrade('width-unreadable', pointer('table', 'columns', index, 'width'), column.width);
  }
  const { key, label, sub, values, sortable = false } = column;
  const align = column.align ?? (type === 'num' ? 'right' : 'left');
  return { key, label, type, sub, values, align, sortable, width };
}

const none: readonly never[] = [];
const readFlags = readerOf(TableRowDefinition.fields._flags).read;
const readDocuments = readerOf(TableRowDefinition.fields._docs).read;

function normaliseRow(
  cells: TableRowDefinition,
  index: number,
  statusColumn: ScreenColumn | undefined,
): ScreenRow {
  const status = statusColumn && plainText(cellOf(cells, statusColumn.key));
  const flags = readFlags(cellOf(cells, '_flags')) ?? none;
  const docs = readDocuments(cellOf(cells, '_docs')) ?? none;
  return { index, cells, status: status || undefined, flags, docs };
}

function checkStatuses(
  columns: readonly ScreenColumn[],
  rows: readonly TableRowDefinition[],
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
): void {
  const known = new Set(statuses.map(({ key }) => key));
  const statusColumns = byKey(columns.filter(({ type }) => type === 'status'));
  eachCell(rows, statusColumns, (cell, index, key) => {
    const value = plainText(cell);
    if (value && !known.has(value)) {
      degrade('status-unknown', pointer('table', 'rows', index, key), value);
    }
  });
}

/** Returns a length in px (the default unit), %, rem, em or ch, or undefined. */
function readLength(width: string): string | undefined {
  const [, number, unit] = /^\s*(\d{1,4}(?:\.\d{1,3})?)(px|%|rem|em|ch)?\s*$/.exec(width) ?? [];
  return number === undefined ? undefined : `${number}${unit ?? 'px'}`;
}
