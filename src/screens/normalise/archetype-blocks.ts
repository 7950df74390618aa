import type {
  CalendarEventDefinition,
  DashboardSeriesDefinition,
  FreeSectionDefinition,
  MapPointDefinition,
  ScreenDefinition,
  Tone,
} from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { toDay } from '../definition/values.js';
import { normalisePoints, type ScreenPoint } from './chart.js';
import type { Degrade } from './degradation.js';
import { clamp } from './frame.js';
import type { ScreenStatus } from './table.js';

export type ScreenAnalyticsChart = NonNullable<
  ReturnType<typeof normaliseAnalytics>
>['charts'][number];

export function normaliseAnalytics({ analytics }: ScreenDefinition, degrade: Degrade) {
  if (analytics === undefined) return undefined;
  const charts = analytics.charts.map((chart, index) => ({
    ...chart,
    points: normalisePoints(chart.points, pointer('analytics', 'charts', index, 'points'), degrade),
  }));
  return { ...analytics, charts };
}

export interface ScreenSeries extends Omit<DashboardSeriesDefinition, 'kpi' | 'points'> {
  /** Index of the metric that the series belongs to, if any. */
  readonly kpi: number | undefined;
  readonly points: readonly ScreenPoint[];
}

export function normaliseDashboard({ dashboard, kpis = [] }: ScreenDefinition, degrade: Degrade) {
  if (dashboard === undefined) return undefined;
  const series = dashboard.series.map((item, index): ScreenSeries => {
    const requested = item.kpi ?? index;
    const kpi = Object.hasOwn(kpis, requested) ? requested : undefined;
    const path = pointer('dashboard', 'series', index);
    if (kpi === undefined) {
      const at = item.kpi === undefined ? path : `${path}/kpi`;
      degrade('index-out-of-range', at, String(requested));
    }
    return { ...item, kpi, points: normalisePoints(item.points, `${path}/points`, degrade) };
  });
  return { ...dashboard, series, breakdowns: dashboard.breakdowns ?? [] };
}

export interface ScreenEvent extends CalendarEventDefinition {
  /** Index in `calendar.events`. */
  readonly index: number;
  /** Days since 1970-01-01; undefined if the date does not exist. */
  readonly day: number | undefined;
}

/** Sorts events by date and time. Events with an invalid date are last. */
export function normaliseCalendar({ calendar }: ScreenDefinition, degrade: Degrade) {
  if (calendar === undefined) return undefined;
  const events = calendar.events.map((event, index): ScreenEvent => {
    const day = toDay(event.date);
    if (day === undefined) {
      degrade('date-invalid', pointer('calendar', 'events', index, 'date'), event.date);
    }
    return { ...event, index, day };
  });
  const rank = ({ day = Number.MAX_SAFE_INTEGER }: ScreenEvent): number => day;
  events.sort(
    (a, b) =>
      rank(a) - rank(b) || (a.time ?? '').localeCompare(b.time ?? '', 'en', { numeric: true }),
  );
  return { ...calendar, events };
}

export interface ScreenMapPoint extends MapPointDefinition {
  readonly known: ScreenStatus | undefined;
  /** The tone of the status, or the point's own tone. */
  readonly shownTone: Tone | undefined;
}

/** Removes lines with an index that does not refer to a point. */
export function normaliseMap(
  { map }: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
) {
  if (map === undefined) return undefined;
  const byKey = new Map(statuses.map((status) => [status.key, status]));
  const points = map.points.map((point, index): ScreenMapPoint => {
    const known = point.status === undefined ? undefined : byKey.get(point.status);
    if (point.status !== undefined && known === undefined) {
      degrade('status-unknown', pointer('map', 'points', index, 'status'), point.status);
    }
    const [x, y] = [clamp(point.x, 0, 100), clamp(point.y, 0, 100)];
    return { ...point, x, y, known, shownTone: known?.tone ?? point.tone };
  });
  const lines: [number, number][] = [];
  for (const [index, [from, to]] of (map.lines ?? []).entries()) {
    // The contract reports lines that are not pairs.
    if (from === undefined || to === undefined) continue;
    const missing = [from, to].find((end) => !Object.hasOwn(points, end));
    if (missing === undefined) lines.push([from, to]);
    else degrade('index-out-of-range', pointer('map', 'lines', index), String(missing));
  }
  return { ...map, points, lines };
}

/** Limits `current`, which counts from 0, to the existing steps. */
export function normaliseWizard({ wizard }: ScreenDefinition, degrade: Degrade) {
  if (wizard === undefined) return undefined;
  const current = wizard.current ?? 0;
  const shown = clamp(Math.floor(current), 0, wizard.steps.length - 1);
  if (shown !== current) degrade('index-out-of-range', '/wizard/current', String(current));
  return { ...wizard, current: shown };
}

/** Sets `current` to the index of the first event that is marked as current. */
export function normaliseTimeline({ timeline }: ScreenDefinition) {
  if (timeline === undefined) return undefined;
  const index = timeline.events.findIndex(({ current }) => current === true);
  return { ...timeline, current: index < 0 ? undefined : index };
}

export type ScreenSection = ReturnType<typeof normaliseSections>[number];

/** Returns the sections with the type that is shown and, for a chart, its points. */
export function normaliseSections(definition: ScreenDefinition, degrade: Degrade) {
  return (definition.sections ?? []).map((section, index) => {
    const requested = section.type ?? 'text';
    const shown = hasPayload(definition, section) ? requested : 'text';
    if (shown !== requested) {
      degrade('section-without-payload', pointer('sections', index, 'type'), requested);
    }
    const path = pointer('sections', index, 'chart', 'points');
    const points =
      shown === 'chart' ? normalisePoints(section.chart?.points ?? [], path, degrade) : [];
    return { ...section, shown, wide: section.width !== 'half', points };
  });
}

function hasPayload(
  { kpis = [], table, ai }: ScreenDefinition,
  { type = 'text', items = [], chart }: FreeSectionDefinition,
): boolean {
  const payloads = {
    text: true,
    cards: items.length > 0,
    chart: chart !== undefined && chart.points.length > 0,
    kpis: kpis.length > 0,
    table: table !== undefined && table.columns.length > 0,
    chat: ai !== undefined,
  };
  return payloads[type];
}
