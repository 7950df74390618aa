import type {
  ChartPointDefinition,
  ScreenDefinition,
  SummaryChartBarDefinition,
  SummaryChartDefinition,
  Tone,
} from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { toNumber } from '../definition/values.js';
import type { Degrade } from './degradation.js';
import type { VisitReference } from './field-references.js';

/** Where the bars of the summary chart come from. */
export type ChartSource =
  /** Counts per day of the rows' dates, with a date-range filter. */
  | { readonly kind: 'days'; readonly dateKey: string }
  /** Counts of the values of a field over the filtered rows. */
  | { readonly kind: 'groups'; readonly groupBy: string }
  /** Bars as the definition has them. */
  | { readonly kind: 'bars'; readonly bars: readonly SummaryChartBarDefinition[] };

export type ScreenChart = NonNullable<ReturnType<typeof normaliseChart>>;

/** A point of a drawn chart: what is written, and what is drawn (undefined: nothing can be). */
export interface ScreenPoint {
  readonly label: string;
  readonly text: string;
  readonly value: number | undefined;
  readonly tone: Tone | undefined;
}

/** The summary chart with its mode decided, or undefined where there is none. */
export function normaliseChart(
  { chart }: ScreenDefinition,
  checkKey: VisitReference,
  degrade: Degrade,
) {
  if (chart === undefined) return undefined;
  const source = chartSource(chart, checkKey, degrade);
  return { ...chart, color: chart.color ?? 'blue', source };
}

function chartSource(
  { bucket, dateKey, groupBy, bars }: SummaryChartDefinition,
  checkKey: VisitReference,
  degrade: Degrade,
): ChartSource {
  if (bucket !== undefined && dateKey === undefined) {
    degrade('bucket-without-date-key', '/chart/bucket', bucket);
  }
  if (bucket !== undefined && dateKey !== undefined) {
    if (groupBy !== undefined) degrade('group-by-ignored', '/chart/groupBy', groupBy);
    checkKey(dateKey, () => '/chart/dateKey');
    return { kind: 'days', dateKey };
  }
  if (groupBy !== undefined) {
    checkKey(groupBy, () => '/chart/groupBy');
    return { kind: 'groups', groupBy };
  }
  return { kind: 'bars', bars: bars ?? [] };
}

/** Points with the numbers that they stand for. */
export function normalisePoints(
  points: readonly ChartPointDefinition[],
  path: string,
  degrade: Degrade,
): readonly ScreenPoint[] {
  return points.map(({ label, value, tone }, index) => {
    const drawn = toNumber(value);
    if (value !== undefined && drawn === undefined) {
      degrade('value-not-drawable', path + pointer(index, 'value'), String(value));
    }
    return { label, text: value === undefined ? '' : String(value), value: drawn, tone };
  });
}
