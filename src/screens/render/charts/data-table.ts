import type { Words } from '../words/en.js';
import type { Build, ChartItem } from './build.js';

/** The numbers behind a chart as a table that everyone can open; on paper it is open. */
export function dataTable<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  words: Words['chart'],
): T {
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
