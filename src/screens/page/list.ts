import { inRange, latestDay } from '../render/charts/days.js';
import { drawRows } from './chart.js';
import { announce, data, find, findAll, onClick, press, words } from './dom.js';

/** A row of the list: a table row, or a line of a list with a reading pane. */
export interface Row {
  readonly element: HTMLElement;
  readonly index: number;
  /** Lower-case text that is searched; read from the page when it is first needed. */
  text: string | undefined;
}

interface Sorting {
  readonly column: number;
  readonly type: string;
  readonly direction: 1 | -1;
}

const container = find('[data-rows]');
const rows: Row[] = findAll(':scope > [data-row]', container ?? document.createElement('div')).map(
  (element, index) => ({ element, index, text: undefined }),
);
const collator = new Intl.Collator(data.locale, { numeric: true, sensitivity: 'base' });
let latest = latestDay(rows.map(dayOf)) ?? 0;

let query = '';
let status = '';
let range = 0;
let sorting: Sorting | undefined;
let page = 0;
let matched: Row[] = rows;

/** Whether the list is a table (rows open a drawer) or lines that open a pane. */
export const isTable = container?.dataset.rows === 'table';
export const hasList = container !== null;

export function rowAt(index: number): Row | undefined {
  return rows.find((row) => row.index === index);
}

/** The rows that search and filters leave, in the order shown. */
export function matchedRows(): readonly Row[] {
  return matched;
}

export function allRows(): readonly Row[] {
  return rows;
}

/** A new row at the top of the list. */
export function addRow(element: HTMLElement): void {
  rows.unshift({ element, index: Number(element.dataset.row), text: undefined });
  latest = latestDay(rows.map(dayOf)) ?? 0;
  refresh(0);
}

/** The row's text has changed: it is read again when it is next searched. */
export function forgetText(row: Row): void {
  row.text = undefined;
}

export function search(text: string): void {
  query = fold(text);
  refresh(0);
}

/** Lower case without the spaces around. */
export function fold(text: string): string {
  return text.trim().toLocaleLowerCase();
}

function dayOf({ element: { dataset } }: Row): number | undefined {
  return dataset.day === undefined ? undefined : Number(dataset.day);
}

function textOf(row: Row): string {
  const parts = isTable ? [...row.element.children] : [row.element];
  row.text ??= parts.map((part) => part.textContent?.toLocaleLowerCase()).join('\n');
  return row.text;
}

/** Applies search, filters, order and page to what is seen. */
export function refresh(toPage = page): void {
  if (!container) return;
  const open = rows.filter(
    (row) =>
      (range === 0 || inRange(dayOf(row), range, latest)) &&
      (query === '' || textOf(row).includes(query)),
  );
  matched = status === '' ? open : open.filter(({ element }) => element.dataset.status === status);
  if (sorting) matched = sorted(matched, sorting);
  const size = data.pageSize || matched.length || 1;
  page = Math.max(0, Math.min(toPage, Math.ceil(matched.length / size) - 1));
  const shown = matched.slice(page * size, (page + 1) * size);
  replaceRows(shown);
  writeCounts(open);
  writePager(size, shown.length);
  if (withCharts) {
    drawRows(
      matched.map(({ element }) => element),
      range,
      latest,
    );
  }
}

function sorted(list: readonly Row[], { column, type, direction }: Sorting): Row[] {
  const keys = new Map(
    list.map((row) => {
      const cell = row.element.children[column];
      const value = cell instanceof HTMLElement ? cell.dataset.v : undefined;
      const text = (cell?.firstChild?.textContent ?? '').trim();
      return [row, type === 'text' ? text : value === undefined ? undefined : Number(value)];
    }),
  );
  return [...list].sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    if (typeof x === 'string' && typeof y === 'string') return collator.compare(x, y) * direction;
    // Rows without a value stay last in both directions.
    if (x === undefined || y === undefined)
      return Number(x === undefined) - Number(y === undefined);
    return (Number(x) - Number(y)) * direction;
  });
}

function writeCounts(open: readonly Row[]): void {
  const counts = new Map<string, number>();
  for (const { element } of open) {
    const key = element.dataset.status ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const tab of findAll('[data-filter]')) {
    const number = find('.number', tab);
    const key = tab.dataset.filter ?? '';
    if (number) number.textContent = String(key === '' ? open.length : (counts.get(key) ?? 0));
  }
  const found = find('#list .found');
  if (found) found.textContent = words(data.words.found, { n: matched.length });
  const empty = find('#list .empty');
  if (empty) empty.hidden = matched.length > 0;
}

function writePager(size: number, shown: number): void {
  const pager = find('#list .pager');
  if (!pager) return;
  pager.hidden = matched.length <= size;
  const text = find('.shown', pager);
  const from = page * size + 1;
  if (text) {
    text.textContent = words(data.words.shown, { from, to: from + shown - 1, n: matched.length });
  }
  const last = Math.ceil(matched.length / size) - 1;
  for (const button of findAll<HTMLButtonElement>('[data-page]', pager)) {
    button.disabled = button.dataset.page === '1' ? page >= last : page <= 0;
  }
}

export function startList(): void {
  if (!container) return;
  const tabs = findAll('[data-filter]');
  onClick('[data-filter]', (tab) => {
    status = tab.dataset.filter ?? '';
    press(tabs, tab);
    refresh(0);
  });
  onClick('[data-range]', (button) => {
    range = Number(button.dataset.range);
    press(findAll('[data-range]'), button);
    refresh(0);
  });
  onClick('[data-page]', (button) => refresh(page + Number(button.dataset.page)));
  onClick('[data-sort]', sortBy);
  // On paper there are no pages to turn: everything that matches is printed.
  addEventListener('beforeprint', () => replaceRows(matched));
  addEventListener('afterprint', () => refresh());
  refresh();
}

/** Clears search and filters. */
export function resetList(): void {
  query = '';
  const all = find('[data-filter=""]');
  if (all) all.click();
  const always = find('[data-range="0"]');
  if (always) always.click();
  refresh(0);
}

function replaceRows(shown: readonly Row[]): void {
  container?.replaceChildren(...shown.map(({ element }) => element));
}

function sortBy(button: HTMLElement): void {
  const head = button.closest('th');
  const direction = head?.ariaSort === 'ascending' ? -1 : 1;
  for (const other of findAll('#list th[aria-sort]')) other.ariaSort = 'none';
  if (head) head.ariaSort = direction === 1 ? 'ascending' : 'descending';
  sorting = { column: Number(button.dataset.sort), type: button.dataset.type ?? '', direction };
  refresh(0);
  announce(
    words(data.words.sorted, {
      column: button.textContent ?? '',
      direction: direction === 1 ? data.words.ascending : data.words.descending,
    }),
  );
}
