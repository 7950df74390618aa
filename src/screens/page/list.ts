import { inRange, latestDay } from '../render/charts/days.js';
import { isFound, type Query, readQuery } from '../text/search.js';
import { drawDays, drawGroups } from './chart.js';
import { data, find, findAll, onClick, press } from './dom.js';
import { searchedOf } from './findable.js';
import { writeCounts, writePager } from './list-counts.js';
import { container, dayOf, type Row, rows } from './rows.js';
import { sorted, startSorting } from './sorting.js';

let latest = newest();
let query: Query = [];
let status = '';
let range = 0;
let page = 0;
let matched: readonly Row[] = rows;

/** Returns the latest day in the list, on which every date range ends. */
function newest(): number {
  return withDays ? (latestDay(rows.map(dayOf)) ?? 0) : 0;
}

/** Returns the rows that match the search and the filters, in display order. */
export function matchedRows(): readonly Row[] {
  return matched;
}

/** Adds a new row at the top of the list. */
export function addRow(element: HTMLElement): void {
  rows.unshift({ element, index: Number(element.dataset.row), searched: undefined });
  latest = newest();
  refresh(0);
}

export function search(text: string): void {
  query = readQuery(text);
  refresh(0);
}

/** Applies the search, the filters, the sort order and the page. */
export function refresh(toPage = page): void {
  if (!container) return;
  const open = rows.filter(
    (row) =>
      !(withDays && !inRange(dayOf(row), range, latest)) &&
      (query.length === 0 || isFound(query, searchedOf(row))),
  );
  matched = sorted(
    status === '' ? open : open.filter(({ element }) => element.dataset.status === status),
  );
  const total = matched.length;
  const size = data.pageSize || total || 1;
  page = Math.max(0, Math.min(toPage, Math.ceil(total / size) - 1));
  replaceRows(matched.slice(page * size, (page + 1) * size));
  writeCounts(open, total);
  writePager(page, size, total);
  if (withExtras) document.dispatchEvent(new Event('msgsite:listed'));
  if (withGroups) drawGroups(matched.map(({ element }) => element));
  if (withDays) drawDays(matched.map(dayOf), range, latest);
}

/** Shows the page that contains a row, if the row matches the search and the filters. */
export function turnToRow(index: number): void {
  const position = matched.findIndex((row) => row.index === index);
  const target = Math.floor(position / (data.pageSize || 1));
  if (data.pageSize > 0 && position >= 0 && target !== page) refresh(target);
}

export function startList(): void {
  if (!container) return;
  const tabs = findAll('[data-filter]');
  onClick('[data-filter]', (tab) => {
    status = tab.dataset.filter ?? '';
    press(tabs, tab);
    refresh(0);
  });
  if (withDays) {
    onClick('[data-range]', (button) => {
      range = Number(button.dataset.range);
      for (const other of findAll('[data-range]')) {
        other.ariaPressed = String(other.dataset.range === button.dataset.range);
      }
      refresh(0);
    });
  }
  onClick('[data-page]', (button) => refresh(page + Number(button.dataset.page)));
  startSorting(() => refresh(0));
  refresh();
}

/** Clears the search and the filters. */
export function resetList(): void {
  query = [];
  find('[data-filter=""]')?.click();
  find('[data-range="0"]')?.click();
  refresh(0);
}

/** Shows the rows of all pages until the next refresh. */
export function showAll(): void {
  replaceRows(matched);
}

function replaceRows(shown: readonly Row[]): void {
  container?.replaceChildren(...shown.map(({ element }) => element));
}
