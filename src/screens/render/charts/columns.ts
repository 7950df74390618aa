import type { Words } from '../words/en.js';
import { axisLabels, valueLabels } from './axis.js';
import { type Build, type ChartItem, type ChartSetting, percent, round } from './build.js';
import { type ChartScale, heightOf, tickTexts, tightScale, zeroScale } from './scale.js';

/** Space above the plot for a value, and height of the plot, in pixels. Both must match chart.css. */
export const [plotTop, plotHeight] = [20, 120];
/** Space below the plot for a value, in pixels. */
const roomBelow = 22;

/** Returns the position of a value, in pixels from the top of the drawing. */
export function pixelsTo(value: number, scale: ChartScale): number {
  return round(plotTop + (1 - heightOf(value, scale)) * plotHeight);
}

interface Drawing<T> {
  readonly scale: ChartScale;
  readonly shapes: readonly T[];
  /** True if values may appear below the plot. */
  readonly below: boolean;
  /** A remark about the scale. */
  readonly remark?: string;
}

/**
 * Draws shapes on a grid with labelled lines, the labels of the points below it, and the numbers as a table. The labels
 * of the scale are text beside the drawing, so that they take only the width that they need.
 */
export function plot<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting,
  { scale, shapes, below, remark }: Drawing<T>,
): T {
  const { summary, color, words } = setting;
  const height = plotTop + plotHeight + (below ? roomBelow : 4);
  const drawing = build(
    'svg',
    { class: `columns ${color}`, role: 'img', 'aria-label': summary, width: '100%', height },
    ...scale.ticks.map((tick) => gridLine(build, tick, scale)),
    ...shapes,
  );
  const texts = tickTexts(items, scale, setting);
  const ticks = texts.map((text) => build('span', {}, text)).reverse();
  const figure = build(
    'div',
    { class: 'figure' },
    build('div', { class: 'scale axis', 'aria-hidden': 'true' }, ...ticks),
    build('div', { class: 'canvas' }, drawing, ...axisLabels(build, items)),
  );
  const note = remark ? [build('p', { class: 'scale-note' }, remark)] : [];
  const data = build('div', {}, ...note, dataTable(build, items, words));
  return build('div', { class: 'plot' }, figure, data);
}

function gridLine<T>(build: Build<T>, tick: number, scale: ChartScale): T {
  const y = pixelsTo(tick, scale);
  const style = tick === 0 ? 'grid zero' : 'grid';
  return build('line', { class: style, x2: '100%', y1: y, y2: y });
}

/** Draws the numbers of a chart as a table that the reader can expand. It is always expanded in print. */
function dataTable<T>(build: Build<T>, items: readonly ChartItem[], words: Words['chart']): T {
  const hints = items.some(({ hint = [] }) => hint.length > 0);
  const head = [words.label, words.value, ...(hints ? [words.note] : [])];
  const titles = head.map((text) => build('th', { scope: 'col' }, text));
  const rows = items.map((item) => dataRow(build, item, hints));
  const thead = build('thead', {}, build('tr', {}, ...titles));
  const table = build('table', {}, thead, build('tbody', {}, ...rows));
  return build('details', { class: 'chart-data' }, build('summary', {}, words.chartData), table);
}

function dataRow<T>(build: Build<T>, { label, text, hint = [] }: ChartItem, hints: boolean): T {
  const cells = [build('th', { scope: 'row' }, label || '–'), build('td', {}, text || '–')];
  if (hints) cells.push(build('td', {}, ...hint.map((line) => build('div', {}, line))));
  return build('tr', {}, ...cells);
}

/** Draws vertical bars that start at zero. */
export function columnChart<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting,
): T {
  const scale = zeroScale(items);
  const slot = 1 / items.length;
  const part = items.length < 5 ? 0.5 : 0.72;
  const columns = items.map(({ value = 0, tone }, index) =>
    build('rect', {
      class: tone ? `bar t-${tone}` : 'bar',
      'data-item': index,
      x: percent(slot * (index + (1 - part) / 2)),
      width: percent(slot * part),
      ...columnBox(value, scale),
      rx: 2,
    }),
  );
  const values = valueLabels(build, items, ({ value = 0 }) => valueHeight(value, scale));
  return plot(build, items, setting, {
    scale,
    shapes: [...columns, ...values],
    below: scale.low < 0,
  });
}

/** Returns the baseline of a value's text beyond the end of its column, in pixels from the top. */
export function valueHeight(value: number, scale: ChartScale): number {
  return pixelsTo(value, scale) + (value < 0 ? 13 : -5);
}

/** Returns the position and height of a column, in pixels. Even the smallest column is visible. */
export function columnBox(
  value: number,
  scale: ChartScale,
): { readonly y: number; readonly height: number } {
  const [end, base] = [pixelsTo(value, scale), pixelsTo(0, scale)];
  const height = Math.max(Math.abs(base - end), value === 0 ? 0 : 2);
  return { y: value < 0 ? base : round(base - height), height: round(height) };
}

/** Maximum length of a label that fits under a column, in characters. */
const longLabel = 9;

/** Returns true if the labels are short enough to fit under columns; otherwise the bars are horizontal. */
export function fitsColumns(items: readonly Pick<ChartItem, 'label'>[]): boolean {
  return items.length > 14 || items.every(({ label }) => label.length <= longLabel);
}

/** Draws horizontal bars that start at zero, as a list. The list needs no text alternative. */
export function horizontalBars<T>(build: Build<T>, items: readonly ChartItem[], color: string): T {
  const scale = tightScale(items);
  const lines = items.map(({ label, value, text, tone, hint = [] }) =>
    build(
      'li',
      {},
      build('span', { class: 'bar-label' }, label || '–'),
      build('span', { class: 'bar-value' }, text || '–'),
      ...(value === undefined ? [] : [track(build, value, tone, scale)]),
      ...hint.map((line) => build('span', { class: 'bar-hint' }, line)),
    ),
  );
  return build('ul', { class: `bars ${color}` }, ...lines);
}

function track<T>(build: Build<T>, value: number, tone: string | undefined, scale: ChartScale): T {
  const [zero, end] = [heightOf(0, scale), heightOf(value, scale)];
  const size = { x: percent(Math.min(zero, end)), width: percent(Math.abs(end - zero)) };
  const bar = { class: tone ? `bar t-${tone}` : 'bar', ...size, height: 8, rx: 4 };
  const ground = build('rect', { class: 'ground', width: '100%', height: 8, rx: 4 });
  const shapes = [ground, build('rect', bar)];
  if (scale.low < 0) {
    const x = percent(zero);
    shapes.push(build('line', { class: 'grid zero', x1: x, x2: x, y1: -3, y2: 11 }));
  }
  const frame = { class: 'track', 'aria-hidden': 'true', width: '100%', height: 8 };
  return build('svg', frame, ...shapes);
}
