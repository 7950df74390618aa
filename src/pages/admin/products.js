import { failureNotice, h } from '../shared/dom.ts';
import { createBulkBar } from './bulk-bar.js';
import { createDeletion } from './deletion.js';
import { pager } from './pager.js';
import { skeleton } from './parts.js';
import { createFilters } from './product-filters.js';
import {
  createFinder,
  isFiltered,
  isInOrder,
  pageOf,
  pageSize,
  readListState,
  writeListState,
} from './product-list.js';
import { markSelected, productRow } from './product-row.js';
import { productTable } from './product-table.js';
import { changedText, foundText, listHead, noMatches, noProducts } from './product-texts.js';
import { createRecentlyDeleted } from './recently-deleted.js';
import { askPosition, createReorder } from './reorder.js';
import { createRowCache } from './row-cache.js';
import { createSelection } from './selection.js';
import { createStock } from './stock.js';

/** @typedef {import('#validators/site').Product} Product */

/**
 * The product list: find, sort, open, reorder, count, delete and undo, one page at a time.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showProducts(options) {
  const { place, api, records, toast, setCount, focusId, refresh, keepAddress } = options;
  /** @type {readonly Product[]} */
  let products = [];
  /** @type {readonly Product[]} */
  let found = [];
  let state = readListState(options.search);
  const find = createFinder();
  const stock = createStock(records);
  const selection = createSelection();
  const rows = createRowCache();
  const recent = createRecentlyDeleted('products');
  const list = h('div', { 'aria-busy': 'true' }, skeleton());
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const trouble = h('p', { class: 'form-problem', hidden: true });
  const hint = h('p', {
    class: 'hint list-hint',
    hidden: true,
    text: 'Alt with the arrow keys moves the product whose name has the focus; its number moves it far.',
  });

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    const counted = stock.load().catch((error) => error);
    try {
      products = (await api('/api/products')).data;
      const failure = await counted;
      trouble.hidden = !failure || failure.status === 404;
      trouble.textContent = failure ? `The stock could not be read. ${failure.message}` : '';
      draw();
    } catch (error) {
      list.replaceChildren(failureNotice('The products could not be loaded', error, load, 'h2'));
    }
    list.setAttribute('aria-busy', 'false');
  };

  /** @param {Partial<import('./product-list.js').ListState>} change */
  const choose = (change) => {
    state = { ...state, page: 1, ...change };
    bulk.forgetResult();
    draw();
    keepAddress(writeListState(state));
    status.textContent = isFiltered(state) ? foundText(found.length, products.length) : '';
  };

  const draw = () => {
    setCount(products.length);
    found = find(products, stock.counts(), state);
    const shown = pageOf(found, state.page);
    state = { ...state, page: shown.page };
    filters.update(products, state, stock.counts() !== undefined);
    filters.element.hidden = products.length < 8 && !isFiltered(state);
    hint.hidden = products.length < 2 || !isInOrder(state);
    drawList(shown);
    const among = selection.among(shown.items.map(({ id }) => id));
    bulk.update(found.length, among === 'all' && shown.items.length > 0);
  };

  /** @param {ReturnType<typeof pageOf<Product>>} shown */
  const drawList = ({ items, page, pages }) => {
    rows.keep(items.map(({ id }) => id));
    if (products.length === 0) return list.replaceChildren(noProducts());
    if (items.length === 0) {
      return list.replaceChildren(noMatches(state.query, () => clearFilters()));
    }
    const positions = new Map(products.map(({ id }, index) => [id, index]));
    const table = productTable({
      rows: items.map((product) => row(product, positions.get(product.id) ?? 0)),
      state,
      selected: selection.among(items.map(({ id }) => id)),
      hasStock: stock.counts() !== undefined,
      sort,
      selectPage: (isSelected) => {
        selection.set(
          items.map(({ id }) => id),
          isSelected,
        );
        redraw('[data-select="page"]');
      },
    });
    list.replaceChildren(table, ...(pages > 1 ? [pager({ page, pages, go: goToPage })] : []));
  };

  /**
   * @param {Product} product
   * @param {number} index
   */
  const row = (product, index) => {
    const shown = {
      index,
      count: products.length,
      isFixed: !isInOrder(state),
      left: stock.counts() === undefined ? undefined : stock.of(product.id),
    };
    const element = rows.get(product.id, JSON.stringify([product, shown]), () =>
      productRow(product, { ...shown, acts: { move, moveTo, remove, storeLeft, select } }),
    );
    markSelected(element, selection.has(product.id));
    return element;
  };

  /**
   * Draws again and puts the keyboard on what stands where it was.
   *
   * @param {string} selector
   */
  const redraw = (selector) => {
    draw();
    /** @type {HTMLElement | null} */
    const target = list.querySelector(selector);
    target?.focus();
    return Boolean(target);
  };

  /** @param {import('./product-list.js').SortKey} key */
  const sort = (key) => {
    choose({ sort: key, isDescending: state.sort === key && !state.isDescending });
    redraw(`[data-sort="${key}"]`);
  };

  /** @param {number} page */
  const goToPage = (page) => {
    const pressed = document.activeElement?.getAttribute('data-page') ?? 'choice';
    choose({ page });
    redraw(`[data-page="${pressed}"]`);
    list.scrollIntoView({ block: 'start' });
    status.textContent = `Page ${state.page}`;
  };

  const clearFilters = () => {
    choose({ query: '', category: '', availability: '' });
    filters.focus();
  };

  /** @type {import('./product-row.js').RowActs['select']} */
  const select = (id, isSelected, withRange) => {
    bulk.forgetResult();
    selection.choose(id, { isSelected, withRange, order: found.map((product) => product.id) });
    redraw(`[data-select="${id}"]`);
  };

  /**
   * @param {number} id
   * @param {string} [button]
   */
  const focusRow = (id, button) => {
    const at = found.findIndex((product) => product.id === id);
    if (at < 0) return false;
    state = { ...state, page: Math.floor(at / pageSize) + 1 };
    keepAddress(writeListState(state));
    return redraw(`[data-id="${id}"] ${button ? `[data-move="${button}"]` : 'a'}`);
  };

  /** @type {import('./product-row.js').Move} */
  const move = (id, step, focused) => {
    const from = products.findIndex((product) => product.id === id);
    const to = Math.min(Math.max(from + step, 0), products.length - 1);
    if (from < 0 || to === from) return;
    products = reorder.move(products, from, to);
    draw();
    focusRow(id, focused);
    status.textContent = `${products[to]?.name} is now ${to + 1} of ${products.length}.`;
  };

  /** @param {Product} product */
  const moveTo = async ({ id, name }) => {
    const from = products.findIndex((product) => product.id === id);
    const position = await askPosition(name, from + 1, products.length);
    if (position !== undefined) move(id, position - 1 - from, 'to');
  };

  const reorder = createReorder({
    records,
    failed: async (error) => {
      await load();
      toast.show(
        error.status === 412
          ? 'The new order was not stored: somebody else has moved this product. The list is as it is now.'
          : `The new order was not stored. ${error.message}`,
        { failed: true },
      );
    },
  });

  /** @type {import('./product-row.js').RowActs['storeLeft']} */
  const storeLeft = async ({ id, name }, left) => {
    try {
      await stock.set(id, left);
      status.textContent = `The stock of ${name} is stored.`;
      return undefined;
    } catch (error) {
      return error.status === 412 ? changedText(stock.of(id)) : error.message;
    }
  };

  /** @param {Product} product */
  const remove = async ({ id, name }) => {
    await reorder.settled();
    await deletion.remove(
      { id, title: name },
      'It disappears from the site at once. You can undo this right afterwards.',
    );
  };

  const deletion = createDeletion({
    path: '/api/admin/products',
    api,
    toast,
    recent,
    reload: load,
    removed: (id) => {
      selection.set([id], false);
      products = products.filter((product) => product.id !== id);
      draw();
    },
    restored: async (id) => {
      if (!list.isConnected) return refresh();
      await load();
      if (!focusRow(id)) list.focus();
    },
  });
  recent.onRestore(deletion.restore);

  const filters = createFilters(state, choose);
  const bulk = createBulkBar({
    selection,
    set: stock.set,
    nameOf: (id) => products.find((product) => product.id === id)?.name ?? String(id),
    changed: draw,
    selectAll: () => {
      selection.set(
        found.map(({ id }) => id),
        true,
      );
      redraw('[data-select="page"]');
    },
  });

  place.replaceChildren(
    listHead(async () => {
      const { openCsv } = await import('./csv.js');
      openCsv({ ...options, changed: load });
    }),
    trouble,
    filters.element,
    list,
    bulk.element,
    hint,
    recent.element,
    status,
  );
  const ready = load().then(() => focusId !== undefined && focusRow(focusId));
  return { title: 'Products', isDirty: () => bulk.isRunning(), ready };
}
