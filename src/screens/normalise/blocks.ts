import type {
  AnalyticsChartDefinition,
  BreakdownDefinition,
  CalendarEventDefinition,
  DrawerFieldDefinition,
  MapPointDefinition,
  NavDefinition,
  Quantity,
  ScreenDefinition,
  SectionDefinition,
  SectionType,
  Tone,
} from '../definition.js';
import { pointer, toDay } from '../values.js';
import { normalisePoints, type ScreenPoint } from './chart.js';
import type { Degrade } from './degradation.js';
import { checkKey, type ScreenStatus, type ScreenTable } from './table.js';

export interface ScreenDrawer {
  /** Key of the row field that is the drawer's title. */
  readonly titleKey: string;
  readonly fields: readonly DrawerFieldDefinition[];
  readonly flagsLabel: string | undefined;
}

/** The drawer; without one in the definition it shows every column, titled by the first. */
export function normaliseDrawer(
  definition: ScreenDefinition,
  table: ScreenTable | undefined,
  degrade: Degrade,
): ScreenDrawer {
  const { drawer } = definition;
  const columns = table?.columns ?? [];
  if (drawer) {
    checkKey(definition, drawer.titleKey, '/drawer/titleKey', degrade);
    for (const [index, { key }] of (drawer.fields ?? []).entries()) {
      checkKey(definition, key, pointer('drawer', 'fields', index, 'key'), degrade);
    }
  }
  return {
    titleKey: drawer?.titleKey ?? columns[0]?.key ?? '',
    fields: drawer?.fields ?? columns.map(({ key, label }) => ({ key, label })),
    flagsLabel: drawer?.flagsLabel,
  };
}

/** Consecutive nav items under one heading (none for items without a group). */
export interface NavGroup {
  readonly heading: string | undefined;
  readonly items: readonly NavEntry[];
}

export interface NavEntry extends NavDefinition {
  /** Place among the items; headings are not counted. */
  readonly index: number;
}

export function normaliseNav(nav: readonly NavDefinition[] = []): readonly NavGroup[] {
  const groups: { heading: string | undefined; items: NavEntry[] }[] = [];
  for (const [index, item] of nav.entries()) {
    const heading = item.group || undefined;
    const last = groups.at(-1);
    if (last && last.heading === heading) last.items.push({ ...item, index });
    else groups.push({ heading, items: [{ ...item, index }] });
  }
  return groups;
}

export interface ScreenBanner {
  readonly text: string;
  readonly tone: Tone;
  readonly action: string | undefined;
  /** Index of the nav item that the action leads to; undefined where it leads nowhere. */
  readonly target: number | undefined;
}

export function normaliseBanner(
  { banner, nav = [] }: ScreenDefinition,
  degrade: Degrade,
): ScreenBanner | undefined {
  if (banner === undefined || !(banner.text || banner.action)) return undefined;
  const { actionNav, action } = banner;
  const target = actionNav !== undefined && Object.hasOwn(nav, actionNav) ? actionNav : undefined;
  if (actionNav !== undefined && target === undefined) {
    degrade('index-out-of-range', '/banner/actionNav', String(actionNav));
  } else if (action !== undefined && target === undefined) {
    degrade('action-without-target', '/banner/action', action);
  }
  return { text: banner.text ?? '', tone: banner.tone ?? 'info', action, target };
}

export interface ScreenSection extends SectionDefinition {
  /** The type that is shown. */
  readonly shown: SectionType;
  readonly wide: boolean;
  readonly points: readonly ScreenPoint[];
}

export function normaliseSections(
  definition: ScreenDefinition,
  degrade: Degrade,
): readonly ScreenSection[] {
  return (definition.sections ?? []).map((section, index) => {
    const asked = section.type ?? 'text';
    const shown = hasPayload(definition, section) ? asked : 'text';
    if (shown !== asked) {
      degrade('section-without-payload', pointer('sections', index, 'type'), asked);
    }
    const path = pointer('sections', index, 'chart', 'points');
    const points =
      shown === 'chart' ? normalisePoints(section.chart?.points ?? [], path, degrade) : [];
    return { ...section, shown, wide: section.width !== 'half', points };
  });
}

function hasPayload(
  { kpis = [], table, ai }: ScreenDefinition,
  { type = 'text', items = [], chart }: SectionDefinition,
): boolean {
  const payloads: Readonly<Record<SectionType, boolean>> = {
    text: true,
    cards: items.length > 0,
    chart: chart !== undefined && chart.points.length > 0,
    kpis: kpis.length > 0,
    table: table !== undefined && table.columns.length > 0,
    chat: ai !== undefined,
  };
  return payloads[type];
}

export interface ScreenAnalyticsChart extends Omit<AnalyticsChartDefinition, 'points'> {
  readonly points: readonly ScreenPoint[];
}

export function normaliseAnalyticsCharts(
  { analytics }: ScreenDefinition,
  degrade: Degrade,
): readonly ScreenAnalyticsChart[] {
  return (analytics?.charts ?? []).map((chart, index) => ({
    ...chart,
    points: normalisePoints(chart.points, pointer('analytics', 'charts', index, 'points'), degrade),
  }));
}

export interface ScreenSeries {
  /** Index of the metric that the series belongs to; undefined where there is none. */
  readonly kpi: number | undefined;
  readonly title: string | undefined;
  readonly unit: string | undefined;
  readonly total: Quantity | undefined;
  readonly note: string | undefined;
  readonly points: readonly ScreenPoint[];
}

export interface ScreenDashboard {
  readonly range: string | undefined;
  readonly series: readonly ScreenSeries[];
  readonly breakdowns: readonly BreakdownDefinition[];
}

export function normaliseDashboard(
  { dashboard, kpis = [] }: ScreenDefinition,
  degrade: Degrade,
): ScreenDashboard | undefined {
  if (dashboard === undefined) return undefined;
  const series = dashboard.series.map((item, index) => {
    const wanted = item.kpi ?? index;
    const kpi = Object.hasOwn(kpis, wanted) ? wanted : undefined;
    const path = pointer('dashboard', 'series', index);
    if (kpi === undefined) {
      const at = item.kpi === undefined ? path : `${path}/kpi`;
      degrade('index-out-of-range', at, String(wanted));
    }
    return {
      kpi,
      title: item.title,
      unit: item.unit,
      total: item.total,
      note: item.note,
      points: normalisePoints(item.points, `${path}/points`, degrade),
    };
  });
  return { range: dashboard.range, series, breakdowns: dashboard.breakdowns ?? [] };
}

export interface ScreenEvent extends CalendarEventDefinition {
  /** Place in `calendar.events`. */
  readonly index: number;
  /** Days since 1970-01-01; undefined where the date does not exist. */
  readonly day: number | undefined;
}

/** Events by date and time; those on dates that do not exist come last. */
export function normaliseEvents(
  { calendar }: ScreenDefinition,
  degrade: Degrade,
): readonly ScreenEvent[] {
  const events = (calendar?.events ?? []).map((event, index) => {
    const day = toDay(event.date);
    if (day === undefined) {
      degrade('date-invalid', pointer('calendar', 'events', index, 'date'), event.date);
    }
    return { ...event, index, day };
  });
  const rank = ({ day = Number.MAX_SAFE_INTEGER }: ScreenEvent): number => day;
  return events.sort(
    (a, b) =>
      rank(a) - rank(b) || (a.time ?? '').localeCompare(b.time ?? '', 'en', { numeric: true }),
  );
}

export interface ScreenMapPoint extends MapPointDefinition {
  readonly known: ScreenStatus | undefined;
  /** The tone of the status, else the point's own. */
  readonly shownTone: Tone | undefined;
}

export interface ScreenMap {
  readonly title: string | undefined;
  readonly points: readonly ScreenMapPoint[];
  /** Pairs of indexes that both lead to a point. */
  readonly lines: readonly (readonly [number, number])[];
}

export function normaliseMap(
  { map }: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
): ScreenMap | undefined {
  if (map === undefined) return undefined;
  const points = map.points.map((point, index) => {
    const known = statuses.find(({ key }) => key === point.status);
    if (point.status !== undefined && known === undefined) {
      degrade('status-unknown', pointer('map', 'points', index, 'status'), point.status);
    }
    const [x, y] = [clamp(point.x, 0, 100), clamp(point.y, 0, 100)];
    return { ...point, x, y, known, shownTone: known?.tone ?? point.tone };
  });
  const lines: [number, number][] = [];
  for (const [index, [from = -1, to = -1]] of (map.lines ?? []).entries()) {
    const lost = [from, to].find((end) => !Object.hasOwn(points, end));
    if (lost === undefined) lines.push([from, to]);
    else degrade('index-out-of-range', pointer('map', 'lines', index), String(lost));
  }
  return { title: map.title, points, lines };
}

/** `value` within the bounds; `fallback` where there is none. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
