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

/** The source of the bars of the summary chart. */
export type ChartSource =
  /** Number of rows per day, with a date range filter. */
  | { readonly kind: 'days'; readonly dateKey: string }
  /** Number of filtered rows per value of a field. */
  | { readonly kind: 'groups'; readonly groupBy: string }
  /** Bars from the definition. */
  | { readonly kind: 'bars'; readonly bars: readonly SummaryChartBarDefinition[] };

export type ScreenChart = NonNullable<ReturnType<typeof normaliseChart>>;

/** A point of a chart: its text, and the drawn value (undefined if it cannot be drawn). */
export interface ScreenPoint {
  readonly label: string;
  readonly text: string;
  readonly value: number | undefined;
  readonly tone: Tone | undefined;
}

/** Returns the summary chart with its source, or undefined without a chart. */
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

/** Returns the points with their values as numbers. */
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
