import { isFound, type Query, readQuery } from '../text/search.js';
import { announce, data, find, findAll, onClick, press, words } from './dom.js';
import { indexOf } from './findable.js';
import { resetList, search } from './list.js';
import { container, rows } from './rows.js';
import { listIsShown } from './views.js';

const input = find<HTMLInputElement>('#search');
const findable = findAll('[data-find]');
const indexes = new Map<HTMLElement, string>();
let type = '';

/** Returns the search index of an element and its group's heading. */
function indexFor(element: HTMLElement): string {
  const heading = element.closest('[data-find-group]')?.querySelector('[data-find-heading]');
  const index = indexes.get(element) ?? indexOf(heading ? [heading, element] : [element]);
  indexes.set(element, index);
  return index;
}

/** Hides elements outside the list that do not match, and the markers and groups that belong to them. */
function narrow(): void {
  const query = readQuery(input?.value ?? '');
  for (const element of findable) {
    const { docType } = element.dataset;
    const ofType = type === '' || docType === undefined || docType === type;
    element.hidden = !(ofType && (query.length === 0 || isFound(query, indexFor(element))));
  }
  for (const element of findAll<HTMLElement | SVGElement>('[data-find-with]')) {
    const found = document.getElementById(element.dataset.findWith ?? '')?.hidden === false;
    // Map points stay visible, but are dimmed.
    if (element instanceof HTMLElement) element.hidden = !found;
    else element.classList.toggle('unfound', !found);
  }
  for (const group of findAll('[data-find-group]')) {
    group.hidden = find(':is([data-find], li[data-find-with]):not([hidden])', group) === null;
  }
  document.dispatchEvent(new Event('msgsite:narrowed'));
  showResult(query);
}

/** Announces the number of results outside the list. Shows a message if there are none. */
function showResult(query: Query): void {
  const narrowed = query.length > 0 || type !== '';
  const view = find('.view.on');
  const own = view ? findAll('[data-find]', view) : [];
  const shown = own.filter(({ hidden }) => !hidden).length;
  const nothing = find('#nothing-found');
  // A view without searchable parts matches as a whole or not at all.
  const isWhole = own.length === 0 && !listIsShown();
  const empty =
    narrowed &&
    (isWhole ? !view || !isFound(query, indexFor(view)) : own.length > 0 && shown === 0);
  if (nothing) nothing.hidden = !empty || (listIsShown() && rows.length > 0);
  if (!narrowed || listIsShown()) return;
  if (empty) announce(data.words.noMatches);
  else announce(isWhole ? '' : words(data.words.found, { n: shown }));
}

function startShortcut(): void {
  if (!data.shortcut) return;
  const badge = find('.search kbd');
  if (badge && /Mac|iP(hone|ad)/.test(navigator.userAgent)) badge.textContent = '⌘K';
  document.addEventListener('keydown', (event) => {
    // `code` identifies the key's position, so that the shortcut works on a Cyrillic keyboard, too.
    const isK = event.code === 'KeyK' || event.key.toLowerCase() === 'k';
    if (!isK || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (find('dialog[open]:modal')) return;
    input?.focus();
    input?.select();
  });
}

export function startSearch(): void {
  input?.addEventListener('input', () => {
    search(input.value);
    narrow();
  });
  input?.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    if (data.registry && container && !listIsShown()) location.hash = data.registry;
  });
  onClick('[data-reset]', () => {
    if (input) input.value = '';
    type = '';
    for (const tab of findAll('[data-doc-filter]')) {
      tab.ariaPressed = String(tab.dataset.docFilter === '');
    }
    resetList();
    narrow();
    input?.focus();
  });
  onClick('[data-doc-filter]', (tab) => {
    type = tab.dataset.docFilter ?? '';
    press(findAll('[data-doc-filter]', tab.parentElement ?? document), tab);
    narrow();
  });
  // The results differ between views.
  addEventListener('hashchange', () => {
    if (input?.value || type !== '') narrow();
  });
  startShortcut();
}
