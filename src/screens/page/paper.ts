import { data, find, findAll, words, write } from './dom.js';
import { matchedRows, refresh, showAll } from './list.js';
import { container, isTable, rows } from './rows.js';
import { listIsShown } from './views.js';

/** Returns the active search and filters, each with its label. */
function filters(): readonly string[] {
  const text = find<HTMLInputElement>('#search')?.value.trim();
  const pressed = findAll('.view.on [role="group"] [aria-pressed="true"]').filter(
    ({ dataset: { filter, docFilter, range = '0' } }) => filter || docFilter || range !== '0',
  );
  return [
    ...(text ? [`${data.words.searchLabel}: ${text}`] : []),
    ...pressed.map((button) => {
      const count = find('.number', button)?.textContent ?? '';
      const label = (button.textContent ?? '').slice(0, -count.length || undefined);
      return `${button.closest('[role="group"]')?.ariaLabel}: ${label}`;
    }),
  ];
}

/** Prepares the page for printing. Shows all matching rows, and a line with the active search and filters. */
function prepare(): void {
  const narrowed = filters();
  if (container) {
    showAll();
    const matched = new Set(matchedRows());
    if (!isTable) for (const row of rows) hidePane(row.index, !matched.has(row));
  }
  const found = listIsShown() ? [words(data.words.found, { n: matchedRows().length })] : [];
  const parts = narrowed.length > 0 ? [data.words.printed, ...narrowed, ...found] : [];
  write(find('#printed'), parts.join(' · '));
  // Input fields cut off long values. The printed copies show them in full.
  for (const field of findAll<HTMLInputElement | HTMLTextAreaElement>(
    '.wizard :is(input, textarea)',
  )) {
    write(find('.paper', field.parentElement ?? field), field.value);
  }
}

function hidePane(index: number, hidden: boolean): void {
  const pane = find(`#pane-${index}`);
  if (pane) pane.hidden = hidden;
}

function restore(): void {
  if (!isTable) for (const { index } of rows) hidePane(index, false);
  refresh();
}

export function startPaper(): void {
  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', restore);
  // Developer tools can emulate print media without firing the print events.
  matchMedia('print').addEventListener('change', ({ matches }) =>
    matches ? prepare() : restore(),
  );
}
