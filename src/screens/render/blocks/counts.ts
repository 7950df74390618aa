import type { Tone } from '../../definition/definition.js';
import { cellOf, plainText, toDay } from '../../definition/values.js';
import type { ScreenChart } from '../../normalise/chart.js';
import type { ScreenRow } from '../../normalise/table.js';
import type { RenderContext } from '../context.js';

/** A bar that counts rows: what they carry, its label, and the tone of the status it stands for. */
export interface CountGroup {
  readonly key: string;
  readonly label: string;
  readonly tone?: Tone;
}

/** More bars than this are not drawn, as with days: only the most frequent ones. */
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

/** The groups of `groupBy` (statuses in their order, else the most frequent first) or the days. */
export function countingOf(context: RenderContext): RowCounting {
  const source = context.screen.chart?.source;
  const none = { groups: [], byStatus: false, groupOf: () => undefined, dayOf: () => undefined };
  if (source?.kind === 'days') {
    return { ...none, dayOf: ({ cells }) => toDay(cellOf(cells, source.dateKey)) };
  }
  if (source?.kind !== 'groups') return none;
  return countGroups(context, source);
}

function countGroups(
  { screen, words, known }: RenderContext,
  { groupBy }: Extract<ScreenChart['source'], { kind: 'groups' }>,
): RowCounting {
  const rows = screen.table?.rows ?? [];
  const fieldOf = ({ cells }: ScreenRow): string => plainText(cellOf(cells, groupBy));
  const isStatus = screen.table?.statusColumn?.key === groupBy;
  // A decision may lead to a status that no row has yet.
  const declared = isStatus ? screen.statuses.map(({ key }) => [key, 0] as const) : [];
  const counts = new Map<string, number>(declared);
  for (const row of rows) counts.set(fieldOf(row), (counts.get(fieldOf(row)) ?? 0) + 1);
  const rank = new Map(screen.statuses.map(({ key }, index) => [key, index]));
  const keys = [...counts.keys()].sort((a, b) =>
    isStatus
      ? (rank.get(a) ?? rank.size) - (rank.get(b) ?? rank.size)
      : (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
  );
  const places = new Map(keys.map((key, index) => [key, index]));
  const groups = keys.slice(0, mostBars).map((key, index) => {
    const status = isStatus ? known.statuses.get(key) : undefined;
    const label = (status?.label ?? key) || words.none;
    if (isStatus) return { key, label, ...(status && { tone: status.tone }) };
    return { key: String(index), label };
  });
  return {
    groups,
    byStatus: isStatus,
    groupOf: (row) => places.get(fieldOf(row)),
    dayOf: () => undefined,
  };
}
