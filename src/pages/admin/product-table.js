import { h, icon } from '../shared/dom.ts';

/** @typedef {import('./product-list.js').ListState} ListState */
/** @typedef {import('./product-list.js').SortKey} SortKey */

/** @type {readonly { key: SortKey, label: string }[]} */
const columns = [
  { key: 'order', label: 'No.' },
  { key: 'name', label: 'Product' },
  { key: 'category', label: 'Category' },
  { key: 'price', label: 'Price' },
  { key: 'stock', label: 'Stock' },
];

/**
 * The table around the rows, with the buttons that sort it and the box that selects a page.
 *
 * @param {object} options
 * @param {readonly HTMLElement[]} options.rows
 * @param {ListState} options.state
 * @param {'none' | 'some' | 'all'} options.selected of the rows on the page
 * @param {boolean} options.hasStock
 * @param {(key: SortKey) => void} options.sort
 * @param {(isSelected: boolean) => void} options.selectPage
 */
export function productTable({ rows, state, selected, hasStock, sort, selectPage }) {
  const shown = columns.filter(({ key }) => key !== 'stock' || hasStock);
  return h(
    'table',
    { class: 'rows catalogue' },
    h('caption', { class: 'visually-hidden', text: 'Products' }),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('td', { class: 'cell-select' }, pageBox(selected, selectPage)),
        shown.map((column) => header(column, state, sort)),
        !hasStock && h('td', { class: 'cell-stock' }),
        h('td', { class: 'cell-actions' }),
      ),
    ),
    h('tbody', {}, rows),
  );
}

/**
 * @param {{ key: SortKey, label: string }} column
 * @param {ListState} state
 * @param {(key: SortKey) => void} sort
 */
function header({ key, label }, { sort: sorted, isDescending }, sort) {
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

/**
 * @param {'none' | 'some' | 'all'} selected
 * @param {(isSelected: boolean) => void} selectPage
 */
function pageBox(selected, selectPage) {
  /** @type {HTMLInputElement} */
  const box = h('input', {
    type: 'checkbox',
    checked: selected === 'all',
    'aria-label': 'Select all on this page',
    'data-select': 'page',
    onchange: () => selectPage(box.checked),
  });
  box.indeterminate = selected === 'some';
  return h('label', { class: 'check' }, box);
}
