import { type Build, type ChartItem, percent } from '../render/charts/build.js';
import { columnBox, columnChart, valueHeight } from '../render/charts/columns.js';
import { countDays } from '../render/charts/days.js';
import { summaryValues } from '../render/charts/numbers.js';
import { heightOf, scaleInSpaces } from '../render/charts/scale.js';
import { formatNumber } from '../render/format.js';
import { data, find, findAll, words, write } from './dom.js';

/** Returns the chart's text alternative for its current numbers. */
function summaryOf(items: readonly ChartItem[]): string {
  const { title = '', unit } = data.chart ?? {};
  return words(
    data.words.columnSummary,
    summaryValues({ title, items, unit }, data.words, data.locale),
  );
}

/**
 * Counts the matching rows and updates the bars and numbers. The groups and the scale lines stay as the server drew
 * them.
 */
export function drawGroups(rows: readonly HTMLElement[]): void {
  const plot = find('#chart-plot');
  if (!plot || !data.chart) return;
  const { groups, byStatus } = data.chart;
  const counts = new Map<string, number>();
  for (const { dataset } of rows) {
    const key = (byStatus ? dataset.status : dataset.group) ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const values = groups.map((key) => counts.get(key) ?? 0);
  const highest = values.reduce((max, value) => Math.max(max, value), 0);
  const marks = findAll('.scale span', plot).reverse();
  const isHorizontal = marks.length === 0;
  const scale = isHorizontal
    ? { low: 0, high: highest || 1, ticks: [] }
    : scaleInSpaces(highest, marks.length - 1);
  for (const [index, mark] of marks.entries())
    write(mark, formatNumber(scale.ticks[index] ?? 0, data.locale));
  const [bars, labels] = [findAll('.bar', plot), findAll('.point-values text', plot)];
  const numbers = findAll('td:nth-child(2), .bar-value', plot);
  for (const [index, value] of values.entries()) {
    const box = isHorizontal ? { width: percent(heightOf(value, scale)) } : columnBox(value, scale);
    for (const [name, size] of Object.entries(box)) bars[index]?.setAttribute(name, String(size));
    labels[index]?.setAttribute('y', String(valueHeight(value, scale)));
    write(labels[index], String(value));
    write(numbers[index], String(value));
  }
  const items = values.map((value) => ({ label: '', value, text: String(value) }));
  find('svg[role]', plot)?.setAttribute('aria-label', summaryOf(items));
}

const drawn = new Set(['svg', 'g', 'rect', 'line', 'text', 'foreignObject']);

/** Builds charts as DOM elements. The server builds the same charts as text. */
const buildElement: Build<Element> = (tag, attributes, ...children) => {
  const element = drawn.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
};

/** Redraws the chart for the selected date range, because each range has different bars. */
export function drawDays(
  days: readonly (number | undefined)[],
  range: number,
  latest: number,
): void {
  const plot = find('#chart-plot');
  if (!plot || !data.chart) return;
  const { color, unit } = data.chart;
  const { locale } = data;
  const dated = days.some((day) => day !== undefined);
  const items = dated ? countDays(days, range, latest, locale) : [];
  const wasOpen = find('details[open]', plot) !== null;
  const setting = { summary: summaryOf(items), color, unit, words: data.words.chart, locale };
  const drawing = dated
    ? columnChart(buildElement, items, setting)
    : buildElement('p', { class: 'muted' }, data.words.chart.noData);
  plot.replaceChildren(drawing);
  if (wasOpen) find('details', plot)?.setAttribute('open', '');
}
