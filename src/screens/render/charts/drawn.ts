import { type Html, html } from '../../../base/html.js';
import type { ScreenPoint } from '../../normalise/chart.js';
import type { RenderContext } from '../context.js';
import { formatQuantity, type Locale } from '../format.js';
import { fitsColumns, lyingBars } from './bars.js';
import type { ChartItem } from './build.js';
import { columnChart } from './columns.js';
import { donutChart } from './donut.js';
import { buildHtml } from './html-builder.js';
import { lineChart } from './line.js';
import { formatValue } from './numbers.js';
import { summaryValues } from './summary.js';

/** The colour of one of several charts beside each other. */
export function colorOf(index: number): string {
  return ['c-blue', 'c-green', 'c-orange', 'c-pink'][index % 4] ?? 'c-blue';
}

export interface DrawnChart {
  readonly type: 'bar' | 'line' | 'donut';
  readonly title: string;
  readonly items: readonly ChartItem[];
  /** What the values are counted in. */
  readonly unit?: string | undefined;
  /** What stands in the middle of a ring. */
  readonly total?: string | undefined;
  readonly color?: string;
}

/** A chart: the drawing and its text equivalent. */
export function drawChart(context: RenderContext, chart: DrawnChart): Html {
  const { words, say, locale, styles } = context;
  const { type, items, color = 'c-blue' } = chart;
  styles.add('chart');
  if (type === 'donut' || color !== 'c-blue') styles.add('series');
  // A part of a ring is more than nothing; lines and columns may be at zero and below.
  const isDrawn = ({ value }: ChartItem): boolean =>
    value !== undefined && (type !== 'donut' || value > 0);
  if (!items.some(isDrawn)) return undrawn(context, items);
  if (type === 'donut') return drawDonut(context, chart);
  const isLine = type === 'line';
  if (!isLine && !fitsColumns(items)) {
    styles.add('bars');
    return lyingBars(buildHtml, items, color);
  }
  const sentence = isLine ? words.lineSummary : words.columnSummary;
  const summary = say(sentence, summaryValues(chart, words, locale));
  const setting = { summary, color, unit: chart.unit, words: words.chart, locale };
  if (!isLine) return columnChart(buildHtml, items, setting);
  styles.add('line-chart');
  return lineChart(items, { ...setting, notFromZero: words.notFromZero });
}

function drawDonut({ words, say, locale, styles }: RenderContext, chart: DrawnChart): Html {
  const { title, items, total } = chart;
  styles.add('donut').add('bars');
  const largest = items.reduce((a, b) => ((b.value ?? 0) > (a.value ?? 0) ? b : a));
  const values = { title, count: items.length, label: largest.label || '–', value: largest.text };
  return donutChart(items, { summary: say(words.donutSummary, values), locale, total });
}

/** Nothing can be drawn; what the points say is still there to be read. */
function undrawn({ words, styles, ownLang }: RenderContext, items: readonly ChartItem[]): Html {
  const remark = html`<p class="muted"${ownLang}>${words.chart.noData}</p>`;
  if (items.every(({ label, text }) => !label && !text))
    return html`<div class="undrawn">${remark}</div>`;
  styles.add('bars');
  return html`<div class="undrawn">${remark}${lyingBars(buildHtml, items, 'c-blue')}</div>`;
}

/** The points of a definition as the items of a chart; numbers are written in the form of the locale. */
export function itemsOf(points: readonly ScreenPoint[], locale: Locale): readonly ChartItem[] {
  return points.map(({ label, text, value, tone }) => {
    const isNumber = value !== undefined && text === String(value);
    return { label, value, text: isNumber ? formatValue(value, locale) : text, tone };
  });
}

/** Characters that have room inside a ring. */
const roomInRing = 7;

/** The large number of a chart where it has room inside its ring. */
export function totalInRing(
  { locale }: RenderContext,
  { type, total }: { readonly type: string; readonly total?: string | number | undefined },
): string | undefined {
  const number = formatQuantity(total, locale);
  return type === 'donut' && number !== '' && number.length <= roomInRing ? number : undefined;
}

/** The large number of a chart and its unit, which is said once: the number may have it already. */
export function chartTotal(
  { locale }: RenderContext,
  total: string | number | undefined,
  unit: string | undefined,
): Html {
  const number = formatQuantity(total, locale);
  if (!number && !unit) return html``;
  const shownUnit = unit && !endsWithUnit(number, unit) && html`<span>${unit}</span>`;
  return html`<p class="chart-total">${number && html`<strong>${number}</strong> `}${shownUnit}</p>`;
}

/** Whether a number is followed by its unit already, as `42 %` and `42%` are. */
export function endsWithUnit(number: string, unit: string): boolean {
  const before = number.slice(0, -unit.length).trim();
  return number.endsWith(unit) && /\d$/u.test(before);
}
