import { fitsColumns, lyingBars } from '../render/charts/bars.js';
import type { Build, ChartItem } from '../render/charts/build.js';
import { columnChart } from '../render/charts/columns.js';
import { countDays } from '../render/charts/days.js';
import { summarise } from '../render/charts/summary.js';
import { data, find } from './dom.js';

/** Counts the rows that are left, with a bar for each group that the server drew. */
export function drawGroups(rows: readonly HTMLElement[]): void {
  const { groups = [], byStatus } = data.chart ?? {};
  const counts = new Map<string, number>();
  for (const { dataset } of rows) {
    const key = (byStatus ? dataset.status : dataset.group) ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  draw(
    groups.map(({ key, label, tone }) => {
      const value = counts.get(key) ?? 0;
      return { label, tone, value, text: String(value) };
    }),
  );
}

/** Draws the days of the chosen range again: another range has other bars. */
export function drawDays(
  days: readonly (number | undefined)[],
  range: number,
  latest: number,
): void {
  const dated = days.some((day) => day !== undefined);
  draw(dated ? countDays(days, range, latest, data.locale) : []);
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

/** Draws the chart as the server does; what was opened beside it stays open. */
function draw(items: readonly ChartItem[]): void {
  const place = find('#chart-plot');
  if (!place || !data.chart) return;
  const wasOpen = find('details[open]', place) !== null;
  place.replaceChildren(drawingOf(items, data.chart));
  if (wasOpen) find('details', place)?.setAttribute('open', '');
}

function drawingOf(
  items: readonly ChartItem[],
  { title, unit, color }: NonNullable<typeof data.chart>,
): Element {
  const { locale } = data;
  const words = data.words.chart;
  if (items.length === 0) return buildElement('p', { class: 'muted' }, words.noData);
  if (!fitsColumns(items)) return lyingBars(buildElement, items, color);
  const summary = summarise('columns', { title, items, unit }, words, locale);
  return columnChart(buildElement, items, { summary, color, unit, words, locale });
}
