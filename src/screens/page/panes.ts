import { announce, find, findAll, onClick } from './dom.js';
import { matchedRows, turnToRow } from './list.js';
import { isTable, type Row, rowAt } from './rows.js';
import { listIsShown } from './views.js';

/** Minimum width at which the list and the record are shown side by side. Must match panes.css. */
const wide = matchMedia('(min-width: 900px)');
const list = find('#list');
const panes = find('#list .panes');

/** Index of the record in the URL fragment. */
let chosen: number | undefined;
/** Index of the visible record: the one in the URL fragment or, in a wide window, the first one in the list. */
let shown: number | undefined;
/** The element that opened the record, and the scroll position at that time. Both are restored on return. */
let opener: HTMLElement | undefined;
let scrolled = 0;

export function shownPane(): number | undefined {
  return shown;
}

function paneOf(index: number | undefined): HTMLElement | null {
  return index === undefined ? null : find(`#pane-${index}`);
}

/** Returns the index of the record in a URL fragment such as `#pane-2`. */
function addressed(): number | undefined {
  const [, index] = /^#pane-(\d+)$/.exec(location.hash) ?? [];
  return index !== undefined && paneOf(Number(index)) ? Number(index) : undefined;
}

/** Shows the selected record and marks its line in the list. */
function show(): void {
  const next = chosen ?? (wide.matches ? matchedRows()[0]?.index : undefined);
  list?.classList.toggle('reading', chosen !== undefined);
  if (next !== shown) {
    paneOf(shown)?.classList.remove('on');
    paneOf(next)?.classList.add('on');
    lineOf(shown)?.removeAttribute('aria-current');
    panes?.scrollTo(0, 0);
    shown = next;
  }
  lineOf(shown)?.setAttribute('aria-current', 'true');
  for (const button of findAll<HTMLButtonElement>('[data-pane-step]')) {
    button.disabled = rowBeside(button) === undefined;
  }
  document.dispatchEvent(new Event('msgsite:opened'));
}

function lineOf(index: number | undefined): HTMLElement | null {
  const line = index === undefined ? undefined : rowAt(index);
  return line ? find('a', line.element) : null;
}

/** Returns the row that the "previous" or "next" button opens. */
function rowBeside({ dataset }: HTMLElement): Row | undefined {
  const rows = matchedRows();
  const at = rows.findIndex(({ index }) => index === shown);
  return at < 0 ? undefined : rows[at + Number(dataset.paneStep)];
}

/** Opens a record and adds one entry to the browser history. Moving between records replaces the entry. */
export function openPane(index: number, from: HTMLElement): void {
  const address = `#pane-${index}`;
  if (!listIsShown()) {
    location.hash = address;
    return;
  }
  if (chosen === undefined) {
    [opener, scrolled] = [from, scrollY];
    history.pushState({ fromList: true }, '', address);
  } else history.replaceState(history.state, '', address);
  chosen = addressed();
  show();
  read();
}

/** Scrolls to the record's heading and focuses it. */
function read(): void {
  if (chosen !== undefined) turnToRow(chosen);
  if (wide.matches) panes?.scrollIntoView({ block: 'nearest' });
  else scrollTo(0, 0);
  find('h3', paneOf(shown) ?? document)?.focus({ preventScroll: true });
}

/** Returns to the list. If the record was opened from the list, this goes back in the browser history. */
function leave(): void {
  if (history.state?.fromList) history.back();
  else {
    history.replaceState(null, '', '#list');
    follow();
  }
}

/** Updates the page after the URL fragment has changed. */
function follow(): void {
  const before = chosen;
  chosen = addressed();
  if (chosen === before) return;
  show();
  if (chosen !== undefined) read();
  else if (before !== undefined && listIsShown()) returnTo(before);
}

/** Restores the list, and returns the focus to the element that opened the record, or to the record's line. */
function returnTo(index: number): void {
  if (document.activeElement?.id === 'search') return;
  turnToRow(index);
  if (!wide.matches) scrollTo(0, scrolled);
  const line = lineOf(index);
  const same = opener?.getAttribute('href')?.endsWith(`-${index}`) && opener.isConnected;
  (same ? opener : line)?.focus({ preventScroll: wide.matches });
}

export function startPanes(): void {
  if (isTable || !panes) return;
  onClick('[data-to-list]', (_, event) => {
    event.preventDefault();
    leave();
  });
  onClick('[data-pane-step]', (button) => {
    const next = rowBeside(button);
    if (!next) return;
    openPane(next.index, button);
    announce(find('h3', paneOf(next.index) ?? document)?.textContent ?? '');
    if (!button.matches(':disabled')) button.focus();
  });
  // In a narrow window, a search returns to the list, which shows the results.
  find('#search')?.addEventListener('input', () => {
    if (!wide.matches && chosen !== undefined) leave();
  });
  document.addEventListener('keydown', ({ key, target }) => {
    const typing = target instanceof Element && target.matches('input, textarea, select');
    const above = find('dialog[open], :popover-open');
    if (key === 'Escape' && !typing && !above && !wide.matches && chosen !== undefined) leave();
  });
  addEventListener('hashchange', follow);
  wide.addEventListener('change', show);
  document.addEventListener('msgsite:listed', show);
  chosen = addressed();
  if (chosen !== undefined) turnToRow(chosen);
  show();
}
