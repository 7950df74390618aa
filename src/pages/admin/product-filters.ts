import type { Product } from '#validators/site';
import { h } from '../shared/dom.ts';
import type { Availability, ListState } from './product-list.ts';
import { categoriesOf, categoryKey, few } from './product-list.ts';
import type { Words } from './words/en.ts';

/** The filters above the list. */
export function createFilters(
  start: ListState,
  { products: words }: Words,
  choose: (change: Partial<ListState>) => void,
) {
  const availabilities: readonly { value: Availability; label: string }[] = [
    { value: '', label: words.anyStock },
    { value: 'for-sale', label: words.forSale },
    { value: 'few', label: words.few(few) },
    { value: 'sold-out', label: words.soldOut },
    { value: 'no-price', label: words.noPrice },
  ];
  const search: HTMLInputElement = h('input', {
    class: 'input',
    type: 'search',
    'aria-label': words.search,
    placeholder: words.search,
    value: start.query,
    oninput: () => choose({ query: search.value }),
  });
  const category: HTMLSelectElement = h('select', {
    class: 'input',
    'aria-label': words.category,
    onchange: () => choose({ category: category.value }),
  });
  const availability: HTMLSelectElement = h(
    'select',
    {
      class: 'input',
      'aria-label': words.availability,
      onchange: () =>
        choose({
          availability: availability.value as ListState['availability'],
        }),
    },
    availabilities.map(({ value, label }) => h('option', { value, text: label })),
  );
  let drawn = '';

  return {
    element: h('div', { class: 'list-tools', hidden: true }, search, category, availability),
    focus: () => search.focus(),
    update: (products: readonly Product[], state: ListState, hasStock: boolean) => {
      const names = categoriesOf(products);
      // A category in an old address that no longer exists is shown, so that it can be left.
      const chosen =
        names.find((name) => categoryKey(name) === categoryKey(state.category)) ?? state.category;
      if (chosen && !names.includes(chosen)) names.push(chosen);
      if (drawn !== names.join('\n')) {
        category.replaceChildren(
          h('option', { value: '', text: words.allCategories }),
          ...names.map((name) => h('option', { value: name, text: name })),
        );
        drawn = names.join('\n');
      }
      if (search.value.trim() !== state.query.trim()) search.value = state.query;
      category.value = chosen;
      category.hidden = names.length === 0;
      availability.value = state.availability;
      availability.hidden = !hasStock;
    },
  };
}
