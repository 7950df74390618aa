import { pointer } from '../../json/pointers.js';
import { plural } from '../check/findings.js';
import type { Rule } from './rule.js';

export const dashboardMetric: Rule = {
  id: 'dashboard-metric',
  severity: 'warning',
  summary: 'A trend belongs to no metric',
  documentation:
    'A series of the dashboard belongs to the metric at the index kpi, counted from 0; without kpi the first series belongs to the first metric, and so on. A series whose metric does not exist stands alone, and two series of one metric hide each other.',
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
        `There is no metric ${detail}: kpis has ${plural(metrics, 'item')}, counted from 0.`,
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
