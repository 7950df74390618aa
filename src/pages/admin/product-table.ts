import { h, icon } from '../shared/dom.ts';
import type { ListState, SortKey } from './product-list.ts';
import type { Words } from './words/en.ts';

/** The table around the rows, with the buttons that sort it and the box that selects a page. */
export function productTable({
  words,
  rows,
  state,
  selected,
  hasStock,
  sort,
  selectPage,
}: {
  words: Words;
  rows: readonly HTMLElement[];
  state: ListState;
  /** how many of the rows on the page are selected */
  selected: 'none' | 'some' | 'all';
  hasStock: boolean;
  sort: (key: SortKey) => void;
  selectPage: (isSelected: boolean) => void;
}) {
  const { frame, products } = words;
  const columns: readonly { key: SortKey; label: string }[] = [
    { key: 'order', label: products.number },
    { key: 'name', label: products.product },
    { key: 'category', label: products.category },
    { key: 'price', label: products.price },
    { key: 'stock', label: products.stock },
  ];
  const shown = columns.filter(({ key }) => key !== 'stock' || hasStock);
  return h(
    'table',
    { class: 'rows catalogue' },
    h('caption', { class: 'visually-hidden', text: frame.products }),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('td', { class: 'cell-select' }, pageBox(selected, products.selectPage, selectPage)),
        shown.map((column) => header(column, state, sort)),
        !hasStock && h('td', { class: 'cell-stock' }),
        h('td', { class: 'cell-actions' }),
      ),
    ),
    h('tbody', {}, rows),
  );
}

function header(
  { key, label }: { key: SortKey; label: string },
  { sort: sorted, isDescending }: ListState,
  sort: (key: SortKey) => void,
) {
  const isSorted = key === sorted;
  const direction = isDescending ? 'descending' : 'ascending';
  return h(
    'th',
    {
      class: `cell-${key === 'order' ? 'place' : key}`,
      scope: 'col',
      'aria-sort': isSorted ? direction : null,
    },
    h(
      'button',
      { class: 'sort', type: 'button', 'data-sort': key, onclick: () => sort(key) },
      label,
      icon(isSorted ? (isDescending ? 'down' : 'up') : 'sort'),
    ),
  );
}

function pageBox(
  selected: 'none' | 'some' | 'all',
  label: string,
  selectPage: (isSelected: boolean) => void,
) {
  const box: HTMLInputElement = h('input', {
    type: 'checkbox',
    checked: selected === 'all',
    'aria-label': label,
    'data-select': 'page',
    onchange: () => selectPage(box.checked),
  });
  box.indeterminate = selected === 'some';
  return h('label', { class: 'check' }, box);
}
