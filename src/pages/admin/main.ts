import { byId } from '../shared/dom.ts';
import { formatNumber, type Language } from '../shared/format.ts';
import { showAnnouncementForm } from './announcement-form.ts';
import { showAnnouncements } from './announcements.ts';
import { ask, askForToken, createToast } from './dialogs.ts';
import { isLanguage, loadWords, pickLanguage, storedLanguage, storeLanguage } from './language.ts';
import { showOrders } from './orders.ts';
import type { ViewOptions } from './parts.ts';
import { showPeople } from './people.ts';
import { showProductForm } from './product-form.ts';
import { showProducts } from './products.ts';
import { createRecords } from './records.ts';
import { createSession } from './session.ts';
import { showSettings } from './settings.ts';
import { showShop } from './shop.ts';
import type { Words } from './words/en.ts';

interface View {
  title: string;
  isDirty: () => boolean;
  ready: Promise<unknown>;
  /** called for Ctrl+S */
  save?: () => void;
  /** called when the view is left */
  end?: () => void;
}
type ShowView = (options: ViewOptions) => View;
type Section = 'products' | 'orders' | 'announcements' | 'people' | 'shop' | 'settings';

const views: Record<Section, { list: ShowView; form?: ShowView }> = {
  products: { list: showProducts, form: showProductForm },
  orders: { list: showOrders },
  announcements: { list: showAnnouncements, form: showAnnouncementForm },
  people: { list: showPeople },
  shop: { list: showShop },
  settings: { list: showSettings },
};

let words: Words;
const session = createSession((wasRefused) => askForToken(words, wasRefused));
const records = createRecords(session.exchange);
const toast = createToast();
const place = byId('main');
const languageMenu = byId<HTMLSelectElement>('page-language');
let view: View | undefined;
let shownHash: string | undefined;
let focusId: number | undefined;
let asking = false;
/** The last address of each list, so that an editor returns to the same page of it. */
const lastLists: Map<string, string> = new Map();
/** The section whose list is on the page; undefined for an editor. */
let shownList: Section | undefined;

/** `#products/3` -> the section and the ID (`new` has no ID); `#products?q=tea` -> what the list shows. */
function parseHash(hash: string): {
  section: Section;
  showView: ShowView;
  search: string;
  id?: number;
} {
  const [path = '', search = ''] = hash.slice(1).split('?');
  const [name = '', part] = path.split('/');
  const section = Object.hasOwn(views, name) ? (name as Section) : 'products';
  const { list, form } = views[section];
  if (form && part === 'new') return { section, showView: form, search };
  if (form && /^\d+$/.test(part ?? '')) {
    return { section, showView: form, search, id: Number(part) };
  }
  return { section, showView: list, search };
}

/** Draws the view of the address, and focuses its heading or the row to continue from. */
async function show({ moveFocus }: { moveFocus: boolean }) {
  shownHash = location.hash;
  const { section, showView, search, id } = parseHash(shownHash);
  shownList = showView === views[section].list ? section : undefined;
  if (shownList) lastLists.set(section, shownHash || `#${section}`);
  // An open question about the previous view is dropped.
  if (!asking) closeDialogs();
  const rowId = focusId;
  focusId = undefined;
  view?.end?.();
  view = undefined;
  markSection(section);
  view = showView({
    place,
    words,
    api: session.call,
    session,
    records,
    toast,
    search,
    ...(id === undefined ? {} : { id }),
    ...(rowId === undefined ? {} : { focusId: rowId }),
    keepAddress: (text) => keepAddress(section, text),
    listHash: (name) => lastLists.get(name) ?? `#${name}`,
    leave,
    refresh: () => refresh(section),
    setCount: (count) => setCount(section, count),
  });
  document.title = `${view.title} – ${words.frame.title}`;
  scrollTo(0, 0);
  if (moveFocus && rowId === undefined) place.querySelector('h1')?.focus();
  if (rowId !== undefined && !(await view.ready)) place.querySelector('h1')?.focus();
}

/** Closes questions about the previous view; the one for the token is about the whole page. */
function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]:not(#token)')) {
    (dialog as HTMLDialogElement).close();
  }
}

/** Stores in the address what a list shows, for a reload and for the way back from an editor. */
function keepAddress(section: Section, search: string) {
  const hash = `#${section}${search ? `?${search}` : ''}`;
  lastLists.set(section, hash);
  if (shownList !== section) return;
  shownHash = hash;
  history.replaceState(history.state, '', hash);
}

function markSection(section: Section) {
  for (const link of document.querySelectorAll('.tabs a')) {
    if (link.getAttribute('href') !== `#${section}`) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'page');
  }
}

function setCount(section: Section, count: number) {
  const place = byId(`${section}-count`);
  if (place) place.textContent = formatNumber(count, words);
}

/** Redraws a section's list if it is on the page, after a change made from an older view of it. */
function refresh(section: Section) {
  if (shownList === section) show({ moveFocus: false });
}

/** Opens another view after saving; `id` is the row to continue from. */
function leave(hash: string, id?: number) {
  focusId = id;
  location.hash = hash;
}

/**
 * Opens the view of a new address. If a form has unsaved changes, the old address is restored until the user confirms.
 */
async function follow() {
  if (location.hash === shownHash) return;
  if (!view?.isDirty()) return show({ moveFocus: true });
  const next = location.hash;
  history.pushState(null, '', shownHash);
  if (!(await mayLeave())) return;
  view = undefined;
  location.hash = next;
}

/** Asks whether unsaved changes may be lost; false while the question is already open. */
async function mayLeave() {
  if (!view?.isDirty()) return true;
  if (asking) return false;
  asking = true;
  const sure = await ask(words.leave);
  asking = false;
  return sure;
}

/** Shows the same view in another language. */
async function changeLanguage(language: Language) {
  const isSure = await mayLeave();
  try {
    if (isSure) await speak(language);
  } catch {
    toast.show(words.errors.offline, { failed: true });
  }
  languageMenu.value = words.language;
  if (words.language !== language) return;
  storeLanguage(language);
  toast.hide();
  await show({ moveFocus: false });
}

/** Loads the texts of a language and puts them into the page around the views. */
async function speak(language: Language) {
  words = await loadWords(language);
  const frame: Readonly<Record<string, string>> = words.frame;
  document.documentElement.lang = language;
  languageMenu.value = language;
  for (const element of document.querySelectorAll<HTMLElement>('[data-word], [data-label]')) {
    const { word, label } = element.dataset;
    if (word) element.textContent = frame[word] ?? '';
    if (label) element.setAttribute('aria-label', frame[label] ?? '');
  }
}

/** Shows the counts next to the names of sections. Each section reports its own failures when it is opened. */
async function countSections() {
  const count = async (section: Section, path: string) => {
    setCount(section, (await session.call<{ data: readonly unknown[] }>(path)).data.length);
  };
  await Promise.allSettled([
    count('announcements', '/api/admin/announcements'),
    count('products', '/api/products'),
  ]);
}

window.addEventListener('beforeunload', (event) => {
  if (view?.isDirty()) event.preventDefault();
});
window.addEventListener('keydown', (event) => {
  const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && event.code === 'KeyS';
  if (!isSave || !view?.save) return;
  event.preventDefault();
  if (!document.querySelector('dialog[open]')) view.save();
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  place.focus();
});
byId('forget-token').addEventListener('click', () => {
  session.forget();
  toast.show(words.token.forgotten);
});
languageMenu.addEventListener('change', () => {
  if (isLanguage(languageMenu.value)) changeLanguage(languageMenu.value);
});

async function start() {
  await speak(pickLanguage(storedLanguage(), navigator.languages));
  window.addEventListener('hashchange', follow);
  show({ moveFocus: false });
  countSections();
}

start().catch(() => {
  byId('not-loaded').hidden = false;
});
