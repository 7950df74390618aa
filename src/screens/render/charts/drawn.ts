import { escapeText, Html, html, trusted } from '../../../base/html.js';
import type { ScreenPoint } from '../../normalise/chart.js';
import type { RenderContext } from '../context.js';
import { formatQuantity, type Locale, say } from '../format.js';
import { valueLabels } from './axis.js';
import { type Build, type ChartItem, type ChartSetting, percent, round } from './build.js';
import {
  columnChart,
  fitsColumns,
  horizontalBars,
  pixelsTo,
  plot,
  plotHeight,
  plotTop,
} from './columns.js';
import { donutChart } from './donut.js';
import { formatValue, summaryValues } from './numbers.js';
import {
  arePercent,
  type ChartScale,
  canBeLabelled,
  heightOf,
  lineScale,
  tickTexts,
  zeroScale,
} from './scale.js';

/** Returns the colour of one of several adjacent charts. */
export function colorOf(index: number): string {
  return ['c-blue', 'c-green', 'c-orange', 'c-pink'][index % 4] ?? 'c-blue';
}

export interface DrawnChart {
  readonly type: 'bar' | 'line' | 'donut';
  readonly title: string;
  readonly items: readonly ChartItem[];
  /** The unit of the values. */
  readonly unit?: string | undefined;
  /** The text in the middle of a ring. */
  readonly total?: string | undefined;
  readonly color?: string;
}

/** Draws a chart and its text alternative. */
export function drawChart(context: RenderContext, chart: DrawnChart): Html {
  const { words, say, locale, styles } = context;
  const { type, items, color = 'c-blue' } = chart;
  styles.add('chart');
  if (type === 'donut' || color !== 'c-blue') styles.add('series');
  // A part of a ring must be positive; lines and columns may be zero or negative.
  const isDrawn = ({ value }: ChartItem): boolean =>
    value !== undefined && (type !== 'donut' || value > 0);
  if (!items.some(isDrawn)) return undrawn(context, items);
  if (type === 'donut') return drawDonut(context, chart);
  const isLine = type === 'line';
  if (!isLine && !fitsColumns(items)) {
    styles.add('bars');
    return horizontalBars(buildHtml, items, color);
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

/** Draws the labels and values of a chart that has no numbers. */
function undrawn({ words, styles, ownLang }: RenderContext, items: readonly ChartItem[]): Html {
  const remark = html`<p class="muted"${ownLang}>${words.chart.noData}</p>`;
  if (items.every(({ label, text }) => !label && !text))
    return html`<div class="undrawn">${remark}</div>`;
  styles.add('bars');
  return html`<div class="undrawn">${remark}${horizontalBars(buildHtml, items, 'c-blue')}</div>`;
}

/** Converts the points of a definition to chart items, with numbers in the format of the locale. */
export function itemsOf(points: readonly ScreenPoint[], locale: Locale): readonly ChartItem[] {
  return points.map(({ label, text, value, tone }) => {
    const isNumber = value !== undefined && text === String(value);
    return { label, value, text: isNumber ? formatValue(value, locale) : text, tone };
  });
}

/** Maximum length of a text inside a ring, in characters. */
const roomInRing = 7;

/** Draws a chart with its total and its note. The total is inside the ring if it fits there. */
export function chartBody(
  context: RenderContext,
  { points, total, note, ...chart }: Omit<DrawnChart, 'items' | 'total'> & ChartTexts,
): Html {
  const number = formatQuantity(total, context.locale);
  const isInRing = chart.type === 'donut' && number !== '' && number.length <= roomInRing;
  const items = itemsOf(points, context.locale);
  const drawing = drawChart(context, { ...chart, items, total: isInRing ? number : undefined });
  return html`${chartTotal(context, isInRing ? undefined : total, chart.unit)}${drawing}${note && html`<p class="kpi-note">${note}</p>`}`;
}

interface ChartTexts {
  readonly points: readonly ScreenPoint[];
  readonly total?: string | number | undefined;
  readonly note?: string | undefined;
}

/** Draws a chart's total and its unit, unless the total already ends with the unit. */
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

/** Returns true if a number ends with its unit, as `42 %` and `42%` do. */
export function endsWithUnit(number: string, unit: string): boolean {
  const before = number.slice(0, -unit.length).trim();
  return number.endsWith(unit) && /\d$/u.test(before);
}

interface LineSetting extends ChartSetting {
  /** The remark that the scale does not start at zero. */
  readonly notFromZero: string;
}

interface Point {
  readonly value: number;
  readonly tone: string | undefined;
  readonly index: number;
}

/** Draws a line, with the area below it if the scale contains zero. A point without a number leaves a gap. */
function lineChart(items: readonly ChartItem[], setting: LineSetting): Html {
  const scale = scaleOf(items, setting);
  const runs = runsOf(items);
  const withArea = scale.low <= 0 && scale.high >= 0;
  const x = (index: number): number => round(((index + 0.5) / items.length) * 100);
  const y = (value: number): number => round((1 - heightOf(value, scale)) * 100);
  const lines = runs.map((run) => {
    const path = run.map(({ value, index }) => `${x(index)} ${y(value)}`).join('L');
    const [first, last] = [run[0]?.index ?? 0, run.at(-1)?.index ?? 0];
    const area = `M${x(first)} ${y(0)}L${path}L${x(last)} ${y(0)}z`;
    return html`${withArea && html`<path class="area" d="${area}"></path>`}<path class="line" d="M${path}"></path>`;
  });
  const line = html`<svg y="${plotTop}" width="100%" height="${plotHeight}" viewBox="0 0 100 100" preserveAspectRatio="none" class="stretched">${lines}</svg>`;
  const dots = runs.flat().map(({ value, tone, index }) => {
    const centre = html`cx="${percent((index + 0.5) / items.length)}" cy="${pixelsTo(value, scale)}"`;
    return html`<circle class="dot bar${tone && ` t-${tone}`}" data-item="${index}" ${centre} r="3"></circle>`;
  });
  const valueHeights = items.map(({ value }, index) => {
    if (value === undefined) return plotTop + plotHeight - 5;
    return pixelsTo(value, scale) + (isValley(items, index) ? 17 : -8);
  });
  const values = valueLabels(buildHtml, items, (_, index) => valueHeights[index] ?? 0);
  const shapes = [line, ...dots, ...values];
  const below = valueHeights.some((height) => height > plotTop + plotHeight);
  const start = tickTexts(items, scale, setting)[0] ?? '';
  const remark = withArea ? '' : say(setting.notFromZero, { low: start }, setting.locale);
  return plot(buildHtml, items, setting, { scale, shapes, below, remark });
}

/** Returns a scale close to the values if its labels are short enough, otherwise a scale that includes zero. */
function scaleOf(items: readonly ChartItem[], setting: ChartSetting): ChartScale {
  const limit = arePercent(items, setting.unit) ? 100 : undefined;
  const scale = lineScale(items, limit);
  return canBeLabelled(scale, setting) ? scale : zeroScale(items);
}

/** Returns true for a local minimum, where the value is drawn below the point. */
function isValley(items: readonly ChartItem[], index: number): boolean {
  const value = items[index]?.value ?? 0;
  const [before = value, after = value] = [items[index - 1]?.value, items[index + 1]?.value];
  return value <= before && value <= after && (value < before || value < after);
}

/** Splits the points into runs without gaps. */
function runsOf(items: readonly ChartItem[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let run: Point[] | undefined;
  for (const [index, { value, tone }] of items.entries()) {
    if (value === undefined) {
      run = undefined;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    run.push({ value, tone, index });
  }
  return runs;
}

/** Builds chart elements as HTML text. Tags and attribute names are constants and need no escaping. */
export const buildHtml: Build<Html> = (tag, attributes, ...children) => {
  let text = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    text += ` ${name}="${escapeText(String(value))}"`;
  }
  text += '>';
  for (const child of children) {
    text += child instanceof Html ? child.text : escapeText(child);
  }
  return trusted(`${text}</${tag}>`);
};
