import type { Words } from '../words/en.js';
import { axisLabels } from './axis.js';
import { type Build, type ChartItem, type ChartSetting, round } from './build.js';
import { type ChartScale, heightOf } from './scale.js';
import { tickTexts } from './ticks.js';

/** Pixels: room for a value above the plot, and the plot; chart.css knows both. */
export const [plotTop, plotHeight] = [20, 120];
/** Pixels: room for a value below the plot. */
const roomBelow = 22;

/** Where a value stands in the drawing, in pixels from its top. */
export function pixelsTo(value: number, scale: ChartScale): number {
  return round(plotTop + (1 - heightOf(value, scale)) * plotHeight);
}

interface Drawing<T> {
  readonly scale: ChartScale;
  readonly shapes: readonly T[];
  /** Whether something may be written below the plot. */
  readonly below: boolean;
  /** What is to be known of the scale. */
  readonly remark?: string;
}

/**
 * Shapes over a grid whose lines carry their values, with the labels of the points below, and the numbers
 * behind them as a table. The scale is text beside the drawing, so that it takes what width it needs.
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

/** The numbers behind a chart as a table that everyone can open; on paper it is open. */
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
