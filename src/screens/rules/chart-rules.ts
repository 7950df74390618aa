import type { ChartDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { toNumber } from '../definition/values.js';
import { plural } from '../findings/finding.js';
import { suggestRemoval } from '../findings/remedies.js';
import { quote } from '../text/quote.js';
import type { Report, Rule } from './rule.js';

export const chartSource: Rule = {
  id: 'chart-source',
  severity: 'warning',
  summary: 'The summary chart is empty or ignores some of its properties',
  documentation:
    'The chart has one source: counts by day (bucket and dateKey), counts by a field (groupBy) or the bars in the definition, in this order of precedence. bucket requires dateKey, and dateKey must name a column of type date. A chart without a source is empty.',
  examples: () => ({
    bad: { chart: { title: 'By day', bucket: 'day' } },
    finds: ['/chart/bucket'],
    good: {
      chart: { title: 'By day', bucket: 'day', dateKey: 'received' },
      table: {
        columns: [{ key: 'received', label: 'Received', type: 'date' }],
        rows: [{ received: '2026-03-02' }],
      },
    },
  }),
  check({ degradations, definition, screen }, report, reportKey) {
    for (const { path } of degradations('bucket-without-date-key')) {
      report(
        path,
        'bucket requires dateKey, the key of a date column. Without it, the chart cannot count by day.',
      );
    }
    for (const { path } of degradations('group-by-ignored')) {
      report(
        path,
        'groupBy is ignored, because bucket takes precedence.',
        suggestRemoval(path, 'groupBy'),
      );
    }
    const { chart, table } = definition;
    if (chart === undefined || screen.chart === undefined) return;
    const { source } = screen.chart;
    if (source.kind !== 'bars' && (chart.bars ?? []).length > 0) {
      const used = source.kind === 'days' ? 'bucket' : 'groupBy';
      reportKey(
        '/chart/bars',
        `These bars are ignored, because ${used} takes precedence.`,
        suggestRemoval('/chart/bars', 'bars'),
      );
    }
    if (source.kind === 'bars' && source.bars.length === 0 && chart.bucket === undefined) {
      reportKey('/chart', 'The chart is empty. Add bars, groupBy, or bucket with dateKey.');
    }
    if (chart.dateKey !== undefined && chart.bucket === undefined) {
      report(
        '/chart/dateKey',
        'dateKey has no effect without bucket "day".',
        suggestRemoval('/chart/dateKey', 'dateKey'),
      );
    }
    const column = table?.columns.find(({ key }) => key === chart.dateKey);
    if (column !== undefined && column.type !== 'date') {
      report(
        '/chart/dateKey',
        `dateKey must name a column of type "date", but column ${quote(column.key)} has the type "${column.type ?? 'text'}".`,
      );
    }
  },
};

function checkDonut({ type, points }: ChartDefinition, path: string, report: Report): void {
  if (type !== 'donut') return;
  for (const [index, { value }] of points.entries()) {
    if ((toNumber(value) ?? 0) < 0) {
      report(
        path + pointer('points', index, 'value'),
        `${quote(value)} is negative and cannot be drawn in a donut chart.`,
      );
    }
  }
}

function checkParts(
  items: readonly { readonly value?: string | number }[],
  type: string,
  path: string,
  report: Report,
): void {
  for (const [index, { value }] of items.entries()) {
    if (value === undefined) continue;
    const number = toNumber(value);
    const at = path + pointer(index, 'value');
    if (number === undefined)
      report(at, `${quote(value)} is not a number, so the breakdown cannot draw it.`);
    else if (number < 0 && type === 'share')
      report(at, `${quote(value)} is negative and cannot be drawn as a share.`);
  }
}

export const undrawableValue: Rule = {
  id: 'undrawable-value',
  severity: 'warning',
  summary: 'A chart cannot draw a value',
  documentation:
    'The value of a point must be a number, or a string that contains one. Anything else leaves a gap in the chart. Donut charts and shares divide a whole, so they cannot show negative values.',
  examples: () => {
    const screen = (value: unknown) => {
      const points = [
        { label: 'Mon', value },
        { label: 'Tue', value: 4 },
      ];
      const charts = [{ type: 'bar', title: 'Calls', points }];
      return { analytics: { charts, findings: [{ title: 'Calls rise' }] } };
    };
    return { bad: screen('many'), finds: ['/analytics/charts/0/points/0/value'], good: screen(3) };
  },
  check({ degradations, definition }, report) {
    for (const { path, detail } of degradations('value-not-drawable')) {
      report(path, `${quote(detail)} is not a number, so the chart omits it.`);
    }
    const { analytics, sections = [], dashboard } = definition;
    for (const [index, chart] of (analytics?.charts ?? []).entries()) {
      checkDonut(chart, pointer('analytics', 'charts', index), report);
    }
    for (const [index, { chart }] of sections.entries()) {
      if (chart) checkDonut(chart, pointer('sections', index, 'chart'), report);
    }
    for (const [index, { type, items }] of (dashboard?.breakdowns ?? []).entries()) {
      if (type === 'cards') continue;
      const path = pointer('dashboard', 'breakdowns', index, 'items');
      checkParts(items, type, path, report);
    }
  },
};

export const breakdownPayload: Rule = {
  id: 'breakdown-payload',
  severity: 'warning',
  summary: 'A part of a breakdown is incomplete',
  documentation:
    'In a breakdown of type cards, each part shows its title and stats. In a breakdown of type share or top, each part shows its label and value, with its title and stats below them. A card with neither title, label nor stats is empty, and a share without a value is not drawn.',
  examples: () => {
    const points = [
      { label: 'Mon', value: 3 },
      { label: 'Tue', value: 5 },
    ];
    const dashboard = (part: object) => ({
      series: [{ points }],
      breakdowns: [
        { title: 'By city', type: 'share', items: [{ label: 'Almaty', value: 3 }, part] },
      ],
    });
    return {
      bad: { dashboard: dashboard({ title: 'Astana', stats: [] }) },
      finds: ['/dashboard/breakdowns/0/items/1'],
      good: {
        kpis: [{ value: '8', label: 'Open' }],
        dashboard: dashboard({ label: 'Astana', value: 5 }),
      },
    };
  },
  check({ definition }, report) {
    for (const [index, { type, items }] of (definition.dashboard?.breakdowns ?? []).entries()) {
      for (const [part, item] of items.entries()) {
        const path = pointer('dashboard', 'breakdowns', index, 'items', part);
        const { title, stats, label, value } = item;
        if (type === 'cards' && title === undefined && label === undefined && stats === undefined) {
          report(path, 'A card shows a title and stats, but this part has neither.');
        } else if (type !== 'cards' && (label === undefined || value === undefined)) {
          const missing = label === undefined ? 'label' : 'value';
          report(
            path,
            `A part of type "${type}" must have a label and a value, but this one has no ${missing}.`,
          );
        }
      }
    }
  },
};

export const dashboardMetric: Rule = {
  id: 'dashboard-metric',
  severity: 'warning',
  summary: 'A trend has no metric, or shares one with a different trend',
  documentation:
    'Each dashboard series belongs to the metric at the zero-based index kpi. Without kpi, the first series belongs to the first metric, and so on. A series without a metric is shown separately. If two series belong to the same metric, only one of them is shown.',
  examples: () => {
    const points = [
      { label: 'Mon', value: 3 },
      { label: 'Tue', value: 5 },
    ];
    const screen = (kpi: number) => ({
      kpis: [{ value: '12', label: 'Open' }],
      dashboard: { series: [{ kpi, points }] },
    });
    return { bad: screen(1), finds: ['/dashboard/series/0/kpi'], good: screen(0) };
  },
  check({ degradations, screen, definition }, report) {
    const metrics = screen.kpis.length;
    for (const { path, detail } of degradations('index-out-of-range', '/dashboard')) {
      report(
        path,
        `There is no metric ${detail}. kpis has ${plural(metrics, 'item')}, numbered from 0.`,
      );
    }
    const seen = new Set<number>();
    for (const [index, { kpi }] of (screen.dashboard?.series ?? []).entries()) {
      if (kpi === undefined) continue;
      const explicit = definition.dashboard?.series[index]?.kpi !== undefined;
      const path = pointer('dashboard', 'series', index);
      if (seen.has(kpi))
        report(explicit ? `${path}/kpi` : path, `Metric ${kpi} already has a trend.`);
      seen.add(kpi);
    }
  },
};
