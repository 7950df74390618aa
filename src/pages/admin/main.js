import { byId, failureNotice, h } from '../shared/dom.ts';
import { ask, createToast } from './dialogs.js';
import { createRecords } from './records.js';
import { createSession } from './session.js';

/** @typedef {import('./parts.js').ViewOptions} ViewOptions */
/**
 * @typedef {object} View
 * @property {string} title
 * @property {() => boolean} isDirty
 * @property {Promise<unknown>} ready
 * @property {() => void} [save] what Ctrl+S does
 * @property {() => void} [end] called when the view is left
 */
/** @typedef {() => Promise<(options: ViewOptions) => View>} Load */
/** @typedef {'products' | 'orders' | 'announcements' | 'people' | 'shop' | 'settings'} Section */

/**
 * What each section shows, loaded when it is first opened.
 *
 * @type {Record<Section, { list: Load, form?: Load }>}
 */
const views = {
  products: {
    list: async () => (await import('./products.js')).showProducts,
    form: async () => (await import('./product-form.js')).showProductForm,
  },
  orders: { list: async () => (await import('./orders.js')).showOrders },
  announcements: {
    list: async () => (await import('./announcements.js')).showAnnouncements,
    form: async () => (await import('./announcement-form.js')).showAnnouncementForm,
  },
  people: { list: async () => (await import('./people.js')).showPeople },
  shop: { list: async () => (await import('./shop.js')).showShop },
  settings: { list: async () => (await import('./settings.js')).showSettings },
};

const session = createSession();
const records = createRecords(session.exchange);
const toast = createToast();
const place = byId('main');
/** @type {View | undefined} */
let view;
/** @type {string | undefined} */
let shownHash;
/** @type {number | undefined} */
let focusId;
let asking = false;
/**
 * How each list was last looked at, so that an editor leads back to the same page of it.
 *
 * @type {Map<string, string>}
 */
const lastLists = new Map();
/**
 * The section whose list is on the page; an editor has none.
 *
 * @type {Section | undefined}
 */
let shownList;

/**
 * `#products/3` -> the section, and the id where one is named (`new` has none); `#products?q=tea` -> what the list shows.
 *
 * @param {string} hash
 * @returns {{ section: Section, load: Load, search: string, id?: number }}
 */
function parseHash(hash) {
  const [path = '', search = ''] = hash.slice(1).split('?');
  const [name = '', part] = path.split('/');
  const section = Object.hasOwn(views, name) ? /** @type {Section} */ (name) : 'products';
  const { list, form } = views[section];
  if (form && part === 'new') return { section, load: form, search };
  if (form && /^\d+$/.test(part ?? '')) return { section, load: form, search, id: Number(part) };
  return { section, load: list, search };
}

/**
 * Draws what the address names, and puts the keyboard on its heading or on the row to continue from.
 *
 * @param {{ moveFocus: boolean }} options
 */
async function show({ moveFocus }) {
  shownHash = location.hash;
  const hash = shownHash;
  const { section, load, search, id } = parseHash(hash);
  shownList = load === views[section].list ? section : undefined;
  if (shownList) lastLists.set(section, hash || `#${section}`);
  // A question about what was on the page before is answered by leaving it.
  if (!asking) closeDialogs();
  const rowId = focusId;
  focusId = undefined;
  view?.end?.();
  view = undefined;
  markSection(section);
  try {
    const showView = await load();
    // Whoever has gone on to another section meanwhile is not brought back.
    if (hash !== shownHash) return;
    view = showView({
      place,
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
  } catch {
    showLoadFailure(() => show({ moveFocus }));
    return;
  }
  document.title = `${view.title} – Site admin`;
  scrollTo(0, 0);
  if (moveFocus && rowId === undefined) place.querySelector('h1')?.focus();
  if (rowId !== undefined && !(await view.ready)) place.querySelector('h1')?.focus();
}

/** Questions about what was on the page before; the one for the token is about the whole page. */
function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]:not(#token)')) {
    /** @type {HTMLDialogElement} */ (dialog).close();
  }
}

/**
 * Says in the address what a list shows, so that a reload and the way back from an editor show the same.
 *
 * @param {Section} section
 * @param {string} search
 */
function keepAddress(section, search) {
  const hash = `#${section}${search ? `?${search}` : ''}`;
  lastLists.set(section, hash);
  if (shownList !== section) return;
  shownHash = hash;
  history.replaceState(history.state, '', hash);
}

/** @param {() => unknown} retry */
function showLoadFailure(retry) {
  const error = { message: 'The server cannot be reached. Check your connection and try again.' };
  place.replaceChildren(
    h('h1', { class: 'visually-hidden', text: 'Site admin' }),
    failureNotice('This part of the page could not be loaded', error, retry, 'h2'),
  );
}

/** @param {Section} section */
function markSection(section) {
  for (const link of document.querySelectorAll('.tabs a')) {
    if (link.getAttribute('href') !== `#${section}`) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'page');
    // On a phone the last ones are beyond the edge.
    link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/**
 * @param {Section} section
 * @param {number} count
 */
function setCount(section, count) {
  const place = byId(`${section}-count`);
  if (place) place.textContent = String(count);
}

/**
 * Draws a section's list anew where it is on the page, after a change made from an older view of it.
 *
 * @param {Section} section
 */
function refresh(section) {
  if (shownList === section) show({ moveFocus: false });
}

/**
 * Goes to another view after saving; `id` names the row to continue from.
 *
 * @param {string} hash
 * @param {number} [id]
 */
function leave(hash, id) {
  focusId = id;
  location.hash = hash;
}

/** Leaving a form with unsaved changes is asked about; the address goes back until it is answered. */
async function follow() {
  if (location.hash === shownHash) return;
  if (!view?.isDirty()) return show({ moveFocus: true });
  const wanted = location.hash;
  history.pushState(null, '', shownHash);
  if (asking) return;
  asking = true;
  const sure = await ask({
    title: 'Leave without saving?',
    text: 'What you have typed here is not saved yet.',
    yes: 'Discard changes',
    no: 'Keep editing',
  });
  asking = false;
  if (!sure) return;
  view = undefined;
  location.hash = wanted;
}

/** Numbers beside the section names. What fails here is told by the section itself. */
async function countSections() {
  /**
   * @param {Section} section
   * @param {string} path
   */
  const count = async (section, path) => {
    setCount(section, (await session.call(path)).data.length);
  };
  await Promise.allSettled([
    count('announcements', '/api/admin/announcements'),
    count('products', '/api/products'),
  ]);
}

window.addEventListener('hashchange', follow);
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
  toast.show('The token is forgotten. The next change asks for it again.');
});

show({ moveFocus: false });
countSections();
