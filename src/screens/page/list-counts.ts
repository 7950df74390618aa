import { data, find, findAll, words, write } from './dom.js';
import type { Row } from './rows.js';

/** Updates the row counts on the status tabs and above the list. */
export function writeCounts(open: readonly Row[], matched: number): void {
  const counts = new Map<string, number>();
  for (const { element } of open) {
    const key = element.dataset.status ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const tab of findAll('[data-filter]')) {
    const key = tab.dataset.filter ?? '';
    write(find('.number', tab), String(key === '' ? open.length : (counts.get(key) ?? 0)));
  }
  write(find('#list .found'), words(data.words.found, { n: matched }));
  const empty = find('#list .empty');
  if (empty) empty.hidden = matched > 0;
}

/** Shows the range of visible rows, unless all rows fit on one page. */
export function writePager(page: number, size: number, total: number): void {
  const pager = find('#list .pager');
  if (!pager) return;
  pager.hidden = total <= size;
  const from = page * size;
  const to = Math.min(from + size, total);
  write(find('.shown', pager), words(data.words.shown, { from: from + 1, to, n: total }));
  for (const button of findAll<HTMLButtonElement>('[data-page]', pager)) {
    button.disabled = button.dataset.page === '1' ? from + size >= total : page <= 0;
  }
}
