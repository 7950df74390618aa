import { TableRowDefinition } from '#screen-definition';
import type {
  ColumnDefinition,
  ColumnType,
  DocumentLinkDefinition,
  RowDefinition,
  ScreenDefinition,
  StatusDefinition,
} from '../definition/definition.js';
import { readerOf } from '../definition/read.js';
import { byKey, cellOf, eachCell, plainText, pointer } from '../definition/values.js';
import type { Degrade } from './degradation.js';

/** Rows on a page where the definition does not say. */
const defaultPageSize = 12;

export interface ScreenStatus extends StatusDefinition {
  readonly key: string;
  readonly dim: boolean;
}

/** A column with its defaults filled in. */
export interface ScreenColumn extends Pick<ColumnDefinition, 'key' | 'label'> {
  readonly type: ColumnType;
  /** Key of the muted subtitle under the value. */
  readonly sub: string | undefined;
  /** Allowed values of a status or enum column. */
  readonly values: readonly string[] | undefined;
  readonly align: 'left' | 'right';
  readonly sortable: boolean;
  /** A checked CSS length, or undefined where the content decides. */
  readonly width: string | undefined;
}

export interface ScreenRow {
  /** Place in `table.rows`. */
  readonly index: number;
  readonly cells: RowDefinition;
  /** Key of the row's status; it may be missing from `statuses`. */
  readonly status: string | undefined;
  readonly flags: readonly string[];
  readonly docs: readonly DocumentLinkDefinition[];
}

/** A filter tab: the rows of one status. */
export interface ScreenFilter {
  readonly status: ScreenStatus;
  readonly count: number;
}

export interface ScreenTable {
  readonly columns: readonly ScreenColumn[];
  readonly rows: readonly ScreenRow[];
  readonly pageSize: number;
  /** Whether there are more rows than fit a page. */
  readonly paged: boolean;
  /** The column that carries the row's status: the first of type `status`. */
  readonly statusColumn: ScreenColumn | undefined;
  /** One for each status, in their order; none without a status column. */
  readonly filters: readonly ScreenFilter[];
}

/** The statuses in their order. */
export function normaliseStatuses(definition: ScreenDefinition): readonly ScreenStatus[] {
  return Object.entries(definition.statuses ?? {}).map(([key, status]) => ({
    ...status,
    key,
    dim: status.dim ?? false,
  }));
}

/** The table with its defaults, or undefined where there is none to show. */
export function normaliseTable(
  definition: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  checkKey: CheckKey,
  degrade: Degrade,
): ScreenTable | undefined {
  const { table } = definition;
  if (table === undefined || table.columns.length === 0) return undefined;
  const columns = table.columns.map((column, index) => normaliseColumn(column, index, degrade));
  const statusColumn = columns.find(({ type }) => type === 'status');
  const rows = table.rows.map((row, index) => normaliseRow(row, index, statusColumn));
  const pageSize = Math.max(1, Math.floor(table.pageSize ?? defaultPageSize));
  for (const [index, { sub }] of columns.entries()) {
    checkKey(sub, pointer('table', 'columns', index, 'sub'));
  }
  checkStatuses(columns, table.rows, statuses, degrade);
  return {
    columns,
    rows,
    pageSize,
    paged: rows.length > pageSize,
    statusColumn,
    filters: statusColumn ? countStatuses(rows, statuses) : [],
  };
}

function countStatuses(
  rows: readonly ScreenRow[],
  statuses: readonly ScreenStatus[],
): readonly ScreenFilter[] {
  const counts = new Map<string | undefined, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return statuses.map((status) => ({ status, count: counts.get(status.key) ?? 0 }));
}

function normaliseColumn(column: ColumnDefinition, index: number, degrade: Degrade): ScreenColumn {
  const type = column.type ?? 'text';
  const width = column.width === undefined ? undefined : readLength(column.width);
  if (column.width !== undefined && width === undefined) {
    degrade('width-unreadable', pointer('table', 'columns', index, 'width'), column.width);
  }
  const { key, label, sub, values, sortable = false } = column;
  const align = column.align ?? (type === 'num' ? 'right' : 'left');
  // Every cell asks its column: they all have one shape.
  return { key, label, type, sub, values, align, sortable, width };
}

const none: readonly never[] = [];
const readFlags = readerOf(TableRowDefinition.fields._flags).read;
const readDocuments = readerOf(TableRowDefinition.fields._docs).read;

function normaliseRow(
  cells: RowDefinition,
  index: number,
  statusColumn: ScreenColumn | undefined,
): ScreenRow {
  const status = statusColumn && plainText(cellOf(cells, statusColumn.key));
  const flags = cellOf(cells, '_flags');
  const docs = cellOf(cells, '_docs');
  return {
    index,
    cells,
    status: status || undefined,
    flags: readFlags(flags) ?? none,
    docs: readDocuments(docs) ?? none,
  };
}

function checkStatuses(
  columns: readonly ScreenColumn[],
  rows: readonly RowDefinition[],
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
): void {
  const known = new Set(statuses.map(({ key }) => key));
  const carriers = byKey(columns.filter(({ type }) => type === 'status'));
  eachCell(rows, carriers, (cell, index, key) => {
    const value = plainText(cell);
    if (value && !known.has(value)) {
      degrade('status-unknown', pointer('table', 'rows', index, key), value);
    }
  });
}

/** Reports a row field that no column and no row has. */
export type CheckKey = (key: string | undefined, path: string) => void;

/** The keys are gathered once, however many references there are; those of rows when one asks. */
export function keyChecker({ table }: ScreenDefinition, degrade: Degrade): CheckKey {
  const columnKeys = new Set(table?.columns.map(({ key }) => key));
  let rowKeys: ReadonlySet<string> | undefined;
  return (key, path) => {
    if (key === undefined || columnKeys.has(key)) return;
    rowKeys ??= keysOf(table?.rows ?? []);
    if (!rowKeys.has(key)) degrade('key-unknown', path, key);
  };
}

function keysOf(rows: readonly RowDefinition[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  return keys;
}

/** A length in px, %, rem, em or ch (px where no unit is given), or undefined. */
function readLength(width: string): string | undefined {
  const [, number, unit] = /^\s*(\d{1,4}(?:\.\d{1,3})?)(px|%|rem|em|ch)?\s*$/.exec(width) ?? [];
  return number === undefined ? undefined : `${number}${unit ?? 'px'}`;
}
