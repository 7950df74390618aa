import { announce, data, find, findAll, onClick, press, words } from './dom.js';
import { resetList, search } from './list.js';
import { container, fold } from './rows.js';
import { listIsShown } from './views.js';

const input = find<HTMLInputElement>('#search');
const findable = findAll('[data-find]');
const texts = new Map<HTMLElement, string>();
let type = '';

/** Hides what does not match among the things that are no rows of the list. */
function narrow(): void {
  const query = fold(input?.value ?? '');
  let shown = 0;
  for (const element of findable) {
    const text = texts.get(element) ?? fold(element.textContent ?? '');
    texts.set(element, text);
    const { docType } = element.dataset;
    const ofType = type === '' || docType === undefined || docType === type;
    element.hidden = !(ofType && (query === '' || text.includes(query)));
    if (!element.hidden) shown += 1;
  }
  for (const group of findAll('[data-find-group]')) {
    group.hidden = find('[data-find]:not([hidden])', group) === null;
  }
  if (query !== '' && container === null) announce(words(data.words.found, { n: shown }));
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
    resetList();
    narrow();
    input?.focus();
  });
  onClick('[data-doc-filter]', (tab) => {
    type = tab.dataset.docFilter ?? '';
    press(findAll('[data-doc-filter]', tab.parentElement ?? document), tab);
    narrow();
  });
  startShortcut();
}
