import { cellOf, plainText, toDay } from '../../definition/values.js';
import type { Screen } from '../../normalise/normalise.js';
import type { ScreenRow, ScreenStatus } from '../../normalise/table.js';
import type { ChartItem } from '../charts/build.js';

/** Statuses by their key, with their position among the others. */
export type StatusMap = ReadonlyMap<unknown, ScreenStatus & { readonly place: number }>;

/** A bar that counts rows, and what they carry. */
export interface CountGroup extends ChartItem {
  readonly key: string;
}

/** The most bars that are drawn: the most frequent ones. */
export const mostBars = 1_100;

/** How the rows of the list are counted by the chart. */
export interface RowCounting {
  readonly groups: readonly CountGroup[];
  /** Whether the groups are the statuses: those a row carries anyway. */
  readonly byStatus: boolean;
  /** Index of a row's group, or undefined. */
  groupOf(row: ScreenRow): number | undefined;
  /** Day of a row's date, or undefined. */
  dayOf(row: ScreenRow): number | undefined;
}

/**
 * The groups of `groupBy` (statuses in their order, else the most frequent first) or the days; `none` is
 * the label of rows without a value.
 */
export function countRows(
  { chart, table }: Screen,
  statuses: StatusMap,
  none: string,
): RowCounting {
  const { source } = chart ?? {};
  const nothing = { groups: [], byStatus: false, groupOf: () => undefined, dayOf: () => undefined };
  if (source?.kind === 'days') {
    return { ...nothing, dayOf: ({ cells }) => toDay(cellOf(cells, source.dateKey)) };
  }
  if (source?.kind !== 'groups') return nothing;
  const fieldOf = ({ cells }: ScreenRow): string => plainText(cellOf(cells, source.groupBy));
  const byStatus = table?.statusColumn?.key === source.groupBy;
  const counts = new Map<string, number>();
  // A decision may lead to a status that no row has yet.
  if (byStatus) for (const { key } of statuses.values()) counts.set(key, 0);
  for (const row of table?.rows ?? []) {
    const field = fieldOf(row);
    counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  const placeOf = (key: string): number => statuses.get(key)?.place ?? statuses.size;
  const fields = [...counts].sort(([a, countOfA], [b, countOfB]) =>
    byStatus ? placeOf(a) - placeOf(b) : countOfB - countOfA,
  );
  const indexes = new Map(fields.map(([field], index) => [field, index]));
  const groups = fields.slice(0, mostBars).map(([field, value], index) => {
    const { label = field, tone } = (byStatus && statuses.get(field)) || {};
    const key = byStatus ? field : String(index);
    return { key, label: label || none, value, text: String(value), tone };
  });
  return { ...nothing, groups, byStatus, groupOf: (row) => indexes.get(fieldOf(row)) };
}
