import { type Build, lyingWidth, scaleOf } from '../render/charts/build.js';
import { columnBox, columnChart } from '../render/charts/columns.js';
import { countDays } from '../render/charts/days.js';
import { formatNumber } from '../render/format.js';
import { data, find, findAll, words } from './dom.js';

/** What the chart says of itself, once its numbers have changed. */
function summaryOf(values: readonly number[]): string {
  return words(data.words.bars, {
    title: data.chart?.title ?? '',
    n: values.length,
    max: formatNumber(Math.max(0, ...values), data.locale),
  });
}

/** Counts the rows that are left. The groups stay as the server drew them; their numbers change. */
export function drawGroups(rows: readonly HTMLElement[]): void {
  const place = find('#chart-plot');
  if (!place || !data.chart) return;
  const { groups, byStatus } = data.chart;
  const carried = rows.map(({ dataset }) => (byStatus ? dataset.status : dataset.group) ?? '');
  const counts = groups.map((group) => carried.filter((key) => key === group).length);
  const highest = Math.max(0, ...counts);
  const scale = scaleOf([{ value: highest }]);
  const numbers = findAll('td, .bar-value', place);
  for (const [index, bar] of findAll('.bar', place).entries()) {
    const value = counts[index] ?? 0;
    const lies = bar.closest('.bars') !== null;
    const box = lies ? { width: lyingWidth(value, highest) } : columnBox(value, scale);
    for (const [name, size] of Object.entries(box)) bar.setAttribute(name, String(size));
    if (numbers[index]) numbers[index].textContent = String(value);
  }
  find('svg[role]', place)?.setAttribute('aria-label', summaryOf(counts));
}

const drawn = new Set(['svg', 'rect', 'line', 'text']);

/** Builds charts as elements; the server builds the same as text. */
const buildElement: Build<Element> = (tag, attributes, ...children) => {
  const element = drawn.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
};

/** Draws the days of the chosen range again: another range has other bars. */
export function drawDays(
  days: readonly (number | undefined)[],
  range: number,
  latest: number,
): void {
  const place = find('#chart-plot');
  if (!place || !data.chart) return;
  const dated = days.some((day) => day !== undefined);
  const items = dated ? countDays(days, range, latest, data.locale) : [];
  const summary = summaryOf(items.map(({ value = 0 }) => value));
  const wasOpen = find('details[open]', place) !== null;
  const setting = { summary, color: data.chart.color, words: data.words.chart };
  const drawing = dated
    ? columnChart(buildElement, items, setting)
    : buildElement('p', { class: 'muted' }, setting.words.noData);
  place.replaceChildren(drawing);
  if (wasOpen) find('details', place)?.setAttribute('open', '');
}
