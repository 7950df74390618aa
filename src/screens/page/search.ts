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

/** What an element is found by; a heading that it shares with others counts as its own. */
function indexFor(element: HTMLElement): string {
  const heading = element.closest('[data-find-group]')?.querySelector('[data-find-heading]');
  const index = indexes.get(element) ?? indexOf(heading ? [heading, element] : [element]);
  indexes.set(element, index);
  return index;
}

/** Hides what does not match among the things that are no rows of the list, and what stands for it or around it. */
function narrow(): void {
  const query = readQuery(input?.value ?? '');
  for (const element of findable) {
    const { docType } = element.dataset;
    const ofType = type === '' || docType === undefined || docType === type;
    element.hidden = !(ofType && (query.length === 0 || isFound(query, indexFor(element))));
  }
  for (const element of findAll<HTMLElement | SVGElement>('[data-find-with]')) {
    const found = document.getElementById(element.dataset.findWith ?? '')?.hidden === false;
    // The points of a drawing stay where they are, only paler.
    if (element instanceof HTMLElement) element.hidden = !found;
    else element.classList.toggle('unfound', !found);
  }
  for (const group of findAll('[data-find-group]')) {
    group.hidden = find(':is([data-find], li[data-find-with]):not([hidden])', group) === null;
  }
  document.dispatchEvent(new Event('msgsite:narrowed'));
  showResult(query);
}

/** Says how much is left where the list does not, and what to do where nothing is. */
function showResult(query: Query): void {
  const narrowed = query.length > 0 || type !== '';
  const view = find('.view.on');
  const own = view ? findAll('[data-find]', view) : [];
  const shown = own.filter(({ hidden }) => !hidden).length;
  const nothing = find('#nothing-found');
  // What is no list of anything stays as it is; it either has what is searched or not.
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
    // The code is the key's place: it is the same on a Cyrillic keyboard.
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
  // Another view has hits of its own.
  addEventListener('hashchange', () => {
    if (input?.value || type !== '') narrow();
  });
  startShortcut();
}
