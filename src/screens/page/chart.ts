import { type Build, type ChartItem, percent } from '../render/charts/build.js';
import { columnBox, columnChart, valueHeight } from '../render/charts/columns.js';
import { countDays } from '../render/charts/days.js';
import { summaryValues } from '../render/charts/numbers.js';
import { heightOf, scaleInSpaces } from '../render/charts/scale.js';
import { formatNumber } from '../render/format.js';
import { data, find, findAll, words, write } from './dom.js';

/** Returns the chart's text alternative after its numbers have changed. */
function summaryOf(items: readonly ChartItem[]): string {
  const { title = '', unit } = data.chart ?? {};
  return words(
    data.words.columnSummary,
    summaryValues({ title, items, unit }, data.words, data.locale),
  );
}

/**
 * Counts the matching rows. The groups and the lines of the scale stay as the server drew them; only their
 * numbers change.
 */
export function drawGroups(rows: readonly HTMLElement[]): void {
  const place = find('#chart-plot');
  if (!place || !data.chart) return;
  const { groups, byStatus } = data.chart;
  const counts = new Map<string, number>();
  for (const { dataset } of rows) {
    const key = (byStatus ? dataset.status : dataset.group) ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const values = groups.map((key) => counts.get(key) ?? 0);
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  const marks = findAll('.scale span', place).reverse();
  const isHorizontal = marks.length === 0;
  const scale = isHorizontal
    ? { low: 0, high: highest || 1, ticks: [] }
    : scaleInSpaces(highest, marks.length - 1);
  for (const [index, mark] of marks.entries())
    write(mark, formatNumber(scale.ticks[index] ?? 0, data.locale));
  const [bars, written] = [findAll('.bar', place), findAll('.point-values text', place)];
  const numbers = findAll('td:nth-child(2), .bar-value', place);
  for (const [index, value] of values.entries()) {
    const box = isHorizontal ? { width: percent(heightOf(value, scale)) } : columnBox(value, scale);
    for (const [name, size] of Object.entries(box)) bars[index]?.setAttribute(name, String(size));
    written[index]?.setAttribute('y', String(valueHeight(value, scale)));
    write(written[index], String(value));
    write(numbers[index], String(value));
  }
  const items = values.map((value) => ({ label: '', value, text: String(value) }));
  find('svg[role]', place)?.setAttribute('aria-label', summaryOf(items));
}

const drawn = new Set(['svg', 'g', 'rect', 'line', 'text', 'foreignObject']);

/** Builds charts as elements; the server builds the same as text. */
const buildElement: Build<Element> = (tag, attributes, ...children) => {
  const element = drawn.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
};

/** Draws the days of the chosen range again, because each range has other bars. */
export function drawDays(
  days: readonly (number | undefined)[],
  range: number,
  latest: number,
): void {
  const place = find('#chart-plot');
  if (!place || !data.chart) return;
  const { color, unit } = data.chart;
  const { locale } = data;
  const dated = days.some((day) => day !== undefined);
  const items = dated ? countDays(days, range, latest, locale) : [];
  const wasOpen = find('details[open]', place) !== null;
  const setting = { summary: summaryOf(items), color, unit, words: data.words.chart, locale };
  const drawing = dated
    ? columnChart(buildElement, items, setting)
    : buildElement('p', { class: 'muted' }, data.words.chart.noData);
  place.replaceChildren(drawing);
  if (wasOpen) find('details', place)?.setAttribute('open', '');
}
