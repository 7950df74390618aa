import type { ScreenPoint } from '../../normalise/chart.js';
import { chartWords, type RenderContext } from '../context.js';
import { formatNumber, formatQuantity } from '../format.js';
import { type Html, html } from '../html.js';
import type { ChartItem, ChartSetting } from './build.js';
import { barChart, fitsColumns } from './columns.js';
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
  readonly points: readonly ScreenPoint[];
  readonly total?: string | undefined;
  readonly unit?: string | undefined;
  readonly color?: string;
}

/** A chart of points: the drawing and its text equivalent. */
export function drawChart(context: RenderContext, chart: DrawnChart): Html {
  const { words, say, locale, styles } = context;
  const color = chart.color ?? 'c-blue';
  const items = chart.points.map((point) => toItem(point, locale));
  const highest = items.reduce((max, { value = 0 }) => Math.max(max, value), 0);
  const values = {
    title: chart.title,
    count: items.length,
    max: formatNumber(highest, locale),
    first: items[0]?.label ?? '',
    last: items.at(-1)?.label ?? '',
  };
  const setting = (summary: string): ChartSetting => ({
    summary: say(summary, values),
    color,
    words: chartWords(context),
  });
  addStyles(styles, chart.type, items, color);
  if (chart.type === 'line') return lineChart(buildHtml, items, setting(words.lineSummary));
  if (chart.type === 'bar') return barChart(buildHtml, items, setting(words.chartSummary));
  return donutChart(buildHtml, items, { ...setting(words.donutSummary), total: chart.total });
}

/** The styles of a chart, by what it is drawn as. */
export function addStyles(
  styles: RenderContext['styles'],
  type: DrawnChart['type'],
  items: readonly ChartItem[],
  color: string,
): void {
  styles.add('chart');
  if (type === 'donut') styles.add('donut').add('bars');
  if (type === 'line') styles.add('line-chart');
  if (type === 'bar' && !fitsColumns(items)) styles.add('bars');
  if (type === 'donut' || color !== 'c-blue') styles.add('series');
}

function toItem(
  { label, text, value, tone }: ScreenPoint,
  locale: RenderContext['locale'],
): ChartItem {
  const shown = text === String(value) && value !== undefined ? formatNumber(value, locale) : text;
  return { label, value, text: shown, tone };
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
