import type {
  ColumnDefinition,
  ColumnType,
  DocumentLinkDefinition,
  RowDefinition,
  ScreenDefinition,
  StatusDefinition,
} from '../definition.js';
import { readDocumentLinks, readFlags } from '../read-definition/list.js';
import { cellOf, eachCell, plainText, pointer } from '../values.js';
import type { Degrade } from './degradation.js';

/** Rows on a page where the definition does not say. */
const defaultPageSize = 12;

export interface ScreenStatus extends StatusDefinition {
  readonly key: string;
  readonly dim: boolean;
}

/** A column with its defaults filled in. */
export interface ScreenColumn {
  readonly key: string;
  readonly label: string;
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
    key,
    label: status.label,
    tone: status.tone,
    dim: status.dim ?? false,
  }));
}

/** The table with its defaults, or undefined where there is none to show. */
export function normaliseTable(
  definition: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
): ScreenTable | undefined {
  const { table } = definition;
  if (table === undefined || table.columns.length === 0) return undefined;
  const columns = table.columns.map((column, index) => normaliseColumn(column, index, degrade));
  const statusColumn = columns.find(({ type }) => type === 'status');
  const rows = table.rows.map((row, index) => normaliseRow(row, index, statusColumn));
  const pageSize = Math.max(1, Math.floor(table.pageSize ?? defaultPageSize));
  for (const [index, { sub }] of columns.entries()) {
    checkKey(definition, sub, pointer('table', 'columns', index, 'sub'), degrade);
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
  return {
    key: column.key,
    label: column.label,
    type,
    sub: column.sub,
    values: column.values,
    align: column.align ?? (type === 'num' ? 'right' : 'left'),
    sortable: column.sortable ?? false,
    width,
  };
}

const none: readonly never[] = [];

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
    flags: flags === undefined ? none : readFlags(flags),
    docs: docs === undefined ? none : readDocumentLinks(docs),
  };
}

function checkStatuses(
  columns: readonly ScreenColumn[],
  rows: readonly RowDefinition[],
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
): void {
  const known = new Set(statuses.map(({ key }) => key));
  for (const { key } of columns.filter(({ type }) => type === 'status')) {
    eachCell(rows, key, (cell, index) => {
      const value = plainText(cell);
      if (value && !known.has(value)) {
        degrade('status-unknown', pointer('table', 'rows', index, key), value);
      }
    });
  }
}

/** Reports a row field that no column and no row has. */
export function checkKey(
  definition: ScreenDefinition,
  key: string | undefined,
  path: string,
  degrade: Degrade,
): void {
  if (key === undefined || hasKey(definition, key)) return;
  degrade('key-unknown', path, key);
}

function hasKey({ table }: ScreenDefinition, key: string): boolean {
  return (
    (table?.columns.some((column) => column.key === key) ?? false) ||
    (table?.rows.some((row) => Object.hasOwn(row, key)) ?? false)
  );
}

/** A length in px, %, rem, em or ch (px where no unit is given), or undefined. */
function readLength(width: string): string | undefined {
  const [, number, unit] = /^\s*(\d{1,4}(?:\.\d{1,3})?)(px|%|rem|em|ch)?\s*$/.exec(width) ?? [];
  return number === undefined ? undefined : `${number}${unit ?? 'px'}`;
}
