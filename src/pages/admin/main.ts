import type { Me } from '#validators/admins';
import { byId } from '../shared/dom.ts';
import { formatNumber, type Language } from '../shared/format.ts';
import { ApiError } from './api.ts';
import { ask, askForToken, createToast } from './dialogs.ts';
import { isLanguage, loadWords, pickLanguage, storedLanguage, storeLanguage } from './language.ts';
import { loadFailure, type ViewOptions } from './parts.ts';
import { showProducts } from './products.ts';
import { createRecords } from './records.ts';
import { createSession } from './session.ts';
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
type Section = 'products' | 'orders' | 'announcements' | 'people' | 'team' | 'shop';
/** Loads the code of a view. */
type LoadView = () => Promise<ShowView>;

/** The views of each section. The list of products comes with the page, as it opens with it. */
const sections: Record<Section, { list: LoadView; form?: LoadView }> = {
  products: {
    list: async () => showProducts,
    form: async () => (await import('./product-form.ts')).showProductForm,
  },
  orders: { list: async () => (await import('./orders.ts')).showOrders },
  announcements: {
    list: async () => (await import('./announcements.ts')).showAnnouncements,
    form: async () => (await import('./announcement-form.ts')).showAnnouncementForm,
  },
  people: { list: async () => (await import('./people.ts')).showPeople },
  team: { list: async () => (await import('./team.ts')).showTeam },
  shop: { list: async () => (await import('./shop.ts')).showShop },
};

/** The sections that need more than the role has, by role. */
const closed: Record<NonNullable<Me['role']>, readonly Section[]> = {
  owner: [],
  editor: ['orders', 'people', 'team'],
  orders: ['announcements', 'people', 'team', 'shop'],
};

let words: Words;
const session = createSession((wasRefused) => askForToken(words, wasRefused), applyRole);
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
/** The role of the token; undefined while it is not known, null while the page is open to everybody. */
let role: Me['role'] | undefined;
/** Counts the views, so that the code of an earlier one does not replace a later one. */
let turns = 0;

/** `#products/3` -> the section and the ID (`new` has no ID); `#products?q=tea` -> what the list shows. */
function parseHash(hash: string): {
  section: Section;
  isForm: boolean;
  search: string;
  id?: number;
} {
  const [path = '', search = ''] = hash.slice(1).split('?');
  const [name = '', part = ''] = path.split('/');
  const section = Object.hasOwn(sections, name) ? (name as Section) : 'products';
  const hasForm = sections[section].form !== undefined;
  const id = hasForm && /^\d+$/.test(part) ? Number(part) : undefined;
  const isForm = id !== undefined || (hasForm && part === 'new');
  return { section, isForm, search, ...(id === undefined ? {} : { id }) };
}

/** Draws the view of the address, and focuses its heading or the row to continue from. */
async function show({ moveFocus }: { moveFocus: boolean }) {
  shownHash = location.hash;
  const { section, isForm, search, id } = parseHash(shownHash);
  shownList = isForm ? undefined : section;
  if (shownList) lastLists.set(section, shownHash || `#${section}`);
  // An open question about the previous view is dropped.
  if (!asking) closeDialogs();
  const rowId = focusId;
  focusId = undefined;
  view?.end?.();
  view = undefined;
  markSection(section);
  turns += 1;
  const turn = turns;
  const { list, form = list } = sections[section];
  const showView = await (isForm ? form() : list()).catch(() => undefined);
  if (turn !== turns) return;
  if (!showView) return showNotLoaded(section);
  view = showView({
    place,
    words,
    api: session.call,
    session,
    records,
    toast,
    search,
    mayEdit: role !== 'orders',
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

function showNotLoaded(section: Section) {
  const title = words.frame[section];
  const error = new ApiError({ code: 'offline' });
  place.replaceChildren(loadFailure(title, error, words, () => show({ moveFocus: true })));
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

/** Hides what the role of the token does not allow, and leaves a section that is hidden. */
async function applyRole() {
  try {
    role = (await session.call<Me>('/api/admin/me')).role;
  } catch {
    return;
  }
  const hidden = role ? closed[role] : [];
  for (const name of Object.keys(sections) as Section[]) {
    const link = document.querySelector(`.tabs a[href="#${name}"]`);
    link?.parentElement?.toggleAttribute('hidden', hidden.includes(name));
  }
  if (hidden.includes(parseHash(location.hash).section)) location.hash = '#products';
  else if (role === 'orders') await show({ moveFocus: false });
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
  applyRole();
  countSections();
}

start().catch(() => {
  byId('not-loaded').hidden = false;
});
