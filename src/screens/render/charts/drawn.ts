import { type Html, html } from '../../../base/html.js';
import type { ScreenPoint } from '../../normalise/chart.js';
import type { RenderContext } from '../context.js';
import { formatNumber, formatQuantity, type Locale } from '../format.js';
import { fitsColumns, lyingBars } from './bars.js';
import type { ChartItem } from './build.js';
import { columnChart } from './columns.js';
import { donutChart } from './donut.js';
import { buildHtml } from './html-builder.js';
import { lineChart } from './line.js';

/** The colour of one of several charts beside each other. */
export function colorOf(index: number): string {
  return ['c-blue', 'c-green', 'c-orange', 'c-pink'][index % 4] ?? 'c-blue';
}

export interface DrawnChart {
  readonly type: 'bar' | 'line' | 'donut';
  readonly title: string;
  readonly items: readonly ChartItem[];
  /** What stands in the middle of a ring. */
  readonly total?: string | undefined;
  readonly color?: string;
}

/** A chart: the drawing and its text equivalent. */
export function drawChart(
  { words, say, locale, styles }: RenderContext,
  { type, title, items, total, color = 'c-blue' }: DrawnChart,
): Html {
  styles.add('chart');
  if (type === 'donut' || color !== 'c-blue') styles.add('series');
  // A part of a ring is more than nothing; lines and columns may be at zero and below.
  const isDrawn = ({ value }: ChartItem): boolean =>
    value !== undefined && (type !== 'donut' || value > 0);
  if (!items.some(isDrawn)) return html`<p class="muted">${words.chart.noData}</p>`;
  const highest = items.reduce((max, { value = 0 }) => Math.max(max, value), 0);
  const [first, last] = [items[0]?.label ?? '', items.at(-1)?.label ?? ''];
  const values = { title, count: items.length, max: formatNumber(highest, locale), first, last };
  if (type === 'donut') {
    styles.add('donut').add('bars');
    return donutChart(items, say(words.donutSummary, values), total);
  }
  if (type === 'line') {
    styles.add('line-chart');
    const summary = say(words.lineSummary, values);
    return lineChart(items, { summary, color, words: words.chart });
  }
  if (fitsColumns(items)) {
    const summary = say(words.chartSummary, values);
    return columnChart(buildHtml, items, { summary, color, words: words.chart });
  }
  styles.add('bars');
  return lyingBars(items, color);
}

/** The points of a definition as the items of a chart; numbers are written in the form of the locale. */
export function itemsOf(points: readonly ScreenPoint[], locale: Locale): readonly ChartItem[] {
  return points.map(({ label, text, value, tone }) => {
    const isNumber = value !== undefined && text === String(value);
    return { label, value, text: isNumber ? formatNumber(value, locale) : text, tone };
  });
}

/** The large number of a chart and its unit. */
export function chartTotal(
  { locale }: RenderContext,
  total: string | number | undefined,
  unit: string | undefined,
): Html {
  if (total === undefined && !unit) return html``;
  const number = total !== undefined && html`<strong>${formatQuantity(total, locale)}</strong> `;
  return html`<p class="chart-total">${number}${unit && html`<span>${unit}</span>`}</p>`;
}
