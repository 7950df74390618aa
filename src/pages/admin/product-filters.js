import { h } from '../shared/dom.ts';
import { categoriesOf, few } from './product-list.js';

/** @typedef {import('./product-list.js').ListState} ListState */

/** @type {readonly { value: import('./product-list.js').Availability, label: string }[]} */
const availabilities = [
  { value: '', label: 'Any stock' },
  { value: 'for-sale', label: 'For sale' },
  { value: 'few', label: `Few left (${few} or fewer)` },
  { value: 'sold-out', label: 'Sold out' },
  { value: 'no-price', label: 'Without a price' },
];

/**
 * The fields above the list that narrow it.
 *
 * @param {ListState} start
 * @param {(change: Partial<ListState>) => void} choose
 */
export function createFilters(start, choose) {
  /** @type {HTMLInputElement} */
  const search = h('input', {
    class: 'input',
    type: 'search',
    'aria-label': 'Find a product',
    placeholder: 'Find a product',
    value: start.query,
    oninput: () => choose({ query: search.value }),
  });
  /** @type {HTMLSelectElement} */
  const category = h('select', {
    class: 'input',
    'aria-label': 'Category',
    onchange: () => choose({ category: category.value }),
  });
  /** @type {HTMLSelectElement} */
  const availability = h(
    'select',
    {
      class: 'input',
      'aria-label': 'Availability',
      onchange: () =>
        choose({
          availability: /** @type {ListState['availability']} */ (availability.value),
        }),
    },
    availabilities.map(({ value, label }) => h('option', { value, text: label })),
  );
  let drawn = '';

  return {
    element: h('div', { class: 'list-tools', hidden: true }, search, category, availability),
    focus: () => search.focus(),
    /**
     * @param {readonly import('#validators/site').Product[]} products
     * @param {ListState} state
     * @param {boolean} hasStock
     */
    update: (products, state, hasStock) => {
      const names = categoriesOf(products);
      // A category of an old address that is there no more can still be seen and left.
      if (state.category && !names.includes(state.category)) names.push(state.category);
      if (drawn !== names.join('\n')) {
        category.replaceChildren(
          h('option', { value: '', text: 'All categories' }),
          ...names.map((name) => h('option', { value: name, text: name })),
        );
        drawn = names.join('\n');
      }
      if (search.value.trim() !== state.query.trim()) search.value = state.query;
      category.value = state.category;
      category.hidden = names.length === 0;
      availability.value = state.availability;
      availability.hidden = !hasStock;
    },
  };
}
