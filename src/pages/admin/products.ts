import type { Product, ProductList } from '#validators/site';
import { h } from '../shared/dom.ts';
import { createBulkBar } from './bulk-bar.ts';
import { openCsv } from './csv.ts';
import { createDeletion } from './deletion.ts';
import { explain } from './errors.ts';
import { firstSteps } from './first-steps.ts';
import { pager } from './pager.ts';
import type { ViewOptions } from './parts.ts';
import { loadFailure, skeleton } from './parts.ts';
import { createFilters } from './product-filters.ts';
import type { ListState, SortKey } from './product-list.ts';
import {
  createFinder,
  isFiltered,
  isInOrder,
  pageOf,
  pageSize,
  readListState,
  writeListState,
} from './product-list.ts';
import type { Move, RowActs } from './product-row.ts';
import { markSelected, productRow } from './product-row.ts';
import { productTable } from './product-table.ts';
import { changedText, listHead, noMatches, noProducts, plainHead } from './product-texts.ts';
import { createRecentlyDeleted } from './recently-deleted.ts';
import { askPosition, createReorder } from './reorder.ts';
import { createRowCache } from './row-cache.ts';
import { createSelection } from './selection.ts';
import { createStock } from './stock.ts';

/** The list of products: find, sort, open, reorder, count, delete and undo, one page at a time. */
export function showProducts(options: ViewOptions) {
  const { place, words, api, records, toast, setCount, focusId, refresh, keepAddress } = options;
  const { mayEdit } = options;
  const { frame, products: texts, stock: stockTexts } = words;
  let products: readonly Product[] = [];
  let found: readonly Product[] = [];
  let state = readListState(options.search);
  const find = createFinder();
  const stock = createStock(records);
  const selection = createSelection();
  const rows = createRowCache();
  const recent = createRecentlyDeleted('products', words);
  const list = h('div', { 'aria-busy': 'true' }, skeleton());
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const trouble = h('p', { class: 'form-problem', hidden: true });
  const steps = mayEdit ? firstSteps(options) : undefined;
  const hint = h('p', {
    class: 'hint list-hint',
    hidden: true,
    text: texts.hint,
  });

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    const counted = stock.load().catch((error) => error);
    try {
      products = (await api<ProductList>('/api/products')).data;
      const failure = await counted;
      trouble.hidden = !failure || failure.status === 404;
      trouble.textContent = failure ? `${texts.stockNotRead} ${explain(failure, words)}` : '';
      draw();
      steps?.load(products);
    } catch (error) {
      list.replaceChildren(loadFailure(texts.notLoaded, error, words, load));
    }
    list.setAttribute('aria-busy', 'false');
  };

  const choose = (change: Partial<ListState>) => {
    state = { ...state, page: 1, ...change };
    bulk.forgetResult();
    draw();
    keepAddress(writeListState(state));
    status.textContent = isFiltered(state) ? texts.found(found.length, products.length) : '';
  };

  const draw = () => {
    setCount(products.length);
    found = find(products, stock.counts(), state);
    const shown = pageOf(found, state.page);
    state = { ...state, page: shown.page };
    filters.update(products, state, stock.counts() !== undefined);
    filters.element.hidden = products.length < 8 && !isFiltered(state);
    hint.hidden = !mayEdit || products.length < 2 || !isInOrder(state);
    drawList(shown);
    const among = selection.among(shown.items.map(({ id }) => id));
    bulk.update(found.length, among === 'all' && shown.items.length > 0);
  };

  const drawList = ({ items, page, pages }: ReturnType<typeof pageOf<Product>>) => {
    rows.keep(items.map(({ id }) => id));
    if (products.length === 0) return list.replaceChildren(noProducts(words));
    if (items.length === 0) {
      return list.replaceChildren(noMatches(state.query, words, () => clearFilters()));
    }
    const positions = new Map(products.map(({ id }, index) => [id, index]));
    const table = productTable({
      words,
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
    list.replaceChildren(
      table,
      ...(pages > 1 ? [pager({ words, page, pages, go: goToPage })] : []),
    );
  };

  const row = (product: Product, index: number) => {
    const shown = {
      index,
      count: products.length,
      isFixed: !mayEdit || !isInOrder(state),
      mayEdit,
      left: stock.counts() === undefined ? undefined : stock.of(product.id),
    };
    const element = rows.get(product.id, JSON.stringify([product, shown]), () =>
      productRow(product, { ...shown, words, acts: { move, moveTo, remove, storeLeft, select } }),
    );
    markSelected(element, selection.has(product.id));
    return element;
  };

  /** Redraws the list and focuses the element that replaces the focused one. */
  const redraw = (selector: string) => {
    draw();
    const target: HTMLElement | null = list.querySelector(selector);
    target?.focus();
    return Boolean(target);
  };

  const sort = (key: SortKey) => {
    choose({ sort: key, isDescending: state.sort === key && !state.isDescending });
    redraw(`[data-sort="${key}"]`);
  };

  const goToPage = (page: number) => {
    const pressed = document.activeElement?.getAttribute('data-page') ?? 'choice';
    choose({ page });
    redraw(`[data-page="${pressed}"]`);
    list.scrollIntoView({ block: 'start' });
    status.textContent = words.pageNumber(state.page);
  };

  const clearFilters = () => {
    choose({ query: '', category: '', availability: '' });
    filters.focus();
  };

  const select: RowActs['select'] = (id, isSelected, withRange) => {
    bulk.forgetResult();
    selection.choose(id, { isSelected, withRange, order: found.map((product) => product.id) });
    redraw(`[data-select="${id}"]`);
  };

  const focusRow = (id: number, button?: string) => {
    const at = found.findIndex((product) => product.id === id);
    if (at < 0) return false;
    state = { ...state, page: Math.floor(at / pageSize) + 1 };
    keepAddress(writeListState(state));
    return redraw(`[data-id="${id}"] ${button ? `[data-move="${button}"]` : 'a'}`);
  };

  const move: Move = (id, step, focused) => {
    const from = products.findIndex((product) => product.id === id);
    const to = Math.min(Math.max(from + step, 0), products.length - 1);
    if (from < 0 || to === from) return;
    products = reorder.move(products, from, to);
    draw();
    focusRow(id, focused);
    status.textContent = texts.moved(products[to]?.name ?? '', to + 1, products.length);
  };

  const moveTo = async ({ id, name }: Product) => {
    const from = products.findIndex((product) => product.id === id);
    const position = await askPosition(name, from + 1, products.length, words);
    if (position !== undefined) move(id, position - 1 - from, 'to');
  };

  const reorder = createReorder({
    records,
    failed: async (error) => {
      await load();
      toast.show(`${texts.notMoved} ${explain(error, words)}`, { failed: true });
    },
  });

  const storeLeft: RowActs['storeLeft'] = async ({ id, name }, left) => {
    try {
      await stock.set(id, left);
      status.textContent = stockTexts.stored(name);
      return undefined;
    } catch (error) {
      return error.status === 412 ? changedText(stock.of(id), words) : explain(error, words);
    }
  };

  const remove = async ({ id, name }: Product) => {
    await reorder.settled();
    await deletion.remove({ id, title: name }, texts.deletion);
  };

  const deletion = createDeletion({
    words,
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

  const filters = createFilters(state, words, choose);
  const bulk = createBulkBar({
    words,
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
    mayEdit ? listHead(words, () => openCsv({ ...options, changed: load })) : plainHead(words),
    ...(steps ? [steps.element] : []),
    trouble,
    filters.element,
    list,
    bulk.element,
    hint,
    recent.element,
    status,
  );
  const ready = load().then(() => focusId !== undefined && focusRow(focusId));
  return { title: frame.products, isDirty: () => bulk.isRunning(), ready };
}
