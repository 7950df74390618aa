import type { Build, ChartItem } from '../render/charts/build.js';
import { barChart } from '../render/charts/columns.js';
import { countDays } from '../render/charts/days.js';
import { formatNumber } from '../render/format.js';
import { data, find, words } from './dom.js';

const drawn = new Set(['svg', 'rect', 'line', 'text', 'path', 'circle', 'g']);

/** Builds charts as elements; the server builds the same as text. */
const buildElement: Build<Element> = (tag, attributes, ...children) => {
  const element = drawn.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
};

/** Counts the rows that are left anew, where the chart counts rows at all. */
export function drawRows(rows: readonly HTMLElement[], range: number, latest: number): void {
  const { chart } = data;
  const place = find('#chart-plot');
  if (!chart || !place) return;
  const items = chart.kind === 'days' ? dayItems(rows, range, latest) : groupItems(rows);
  const highest = items.reduce((max, { value = 0 }) => Math.max(max, value), 0);
  const summary = words(data.words.bars, {
    title: chart.title,
    n: items.length,
    max: formatNumber(highest, data.locale),
  });
  const wasOpen = find('details[open]', place) !== null;
  const { color } = chart;
  place.replaceChildren(barChart(buildElement, items, { summary, color, words: data.words }));
  if (wasOpen) find('details', place)?.setAttribute('open', '');
}

function dayItems(
  rows: readonly HTMLElement[],
  range: number,
  latest: number,
): readonly ChartItem[] {
  const days = rows.map(({ dataset }) =>
    dataset.day === undefined ? undefined : Number(dataset.day),
  );
  if (!days.some((day) => day !== undefined)) return [];
  return countDays(days, range, latest, data.locale);
}

function groupItems(rows: readonly HTMLElement[]): readonly ChartItem[] {
  const counts = new Map<string | undefined, number>();
  for (const { dataset } of rows) counts.set(dataset.group, (counts.get(dataset.group) ?? 0) + 1);
  return (data.chart?.groups ?? []).map((group, index) => {
    const value = counts.get(String(index)) ?? 0;
    return { ...group, value, text: String(value) };
  });
}

/** Shows what a bar stands for beside the pointer; the same stands in the chart's table. */
export function startTips(): void {
  const tip = find('#tip');
  if (!tip) return;
  document.addEventListener('pointerover', ({ target, clientX, clientY }) => {
    const bar = target instanceof Element ? target.closest('[data-item]') : null;
    const cells = bar && rowBehind(bar);
    if (!cells) {
      tip.hidePopover();
      return;
    }
    tip.replaceChildren(...cells.map(tipLine));
    tip.showPopover();
    tip.style.left = `${Math.min(clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.max(8, clientY - tip.offsetHeight - 12)}px`;
  });
}

function rowBehind(bar: Element): readonly Element[] | undefined {
  const row = bar.closest('.plot')?.querySelectorAll('tbody tr')[
    Number(bar.getAttribute('data-item'))
  ];
  return row && [...row.children];
}

function tipLine(cell: Element): HTMLElement {
  const line = document.createElement(cell.tagName === 'TH' ? 'b' : 'div');
  const parts = cell.children.length > 0 ? [...cell.children] : [cell];
  for (const [index, part] of parts.entries()) {
    if (index > 0) line.append(document.createElement('br'));
    line.append(part.textContent ?? '');
  }
  return line;
}
