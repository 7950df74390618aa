import type { ChartDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { toNumber } from '../definition/values.js';
import { quote } from '../text/quote.js';
import type { Report, Rule } from './rule.js';

function checkDonut({ type, points }: ChartDefinition, path: string, report: Report): void {
  if (type !== 'donut') return;
  for (const [index, { value }] of points.entries()) {
    if ((toNumber(value) ?? 0) < 0) {
      report(
        path + pointer('points', index, 'value'),
        `${quote(value)} is below zero and cannot be a part of a donut.`,
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
      report(at, `${quote(value)} is below zero and cannot be a share.`);
  }
}

export const undrawableValue: Rule = {
  id: 'undrawable-value',
  severity: 'warning',
  summary: 'A chart cannot draw a value',
  documentation:
    'The value of a point is a number, or a text that reads as one. Anything else leaves a gap in the chart. Donuts and shares divide a whole, so that a value below zero cannot be drawn either.',
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
      report(path, `${quote(detail)} is not a number, so the chart leaves it out.`);
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
