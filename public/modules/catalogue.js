import { byId, failureNotice, h, notice } from './dom.js';
import { countCategories, filterProducts } from './filter.js';
import { formatPrice } from './format.js';
import { picture } from './picture.js';

/** @typedef {import('#validators/site').Product} Product */

/**
 * The product list with its category and search filters. The filters are kept in the address
 * (`?category=…&q=…`), so that a filtered list can be bookmarked and sent.
 */
export function createCatalogue() {
  const place = byId('products');
  /** @type {HTMLInputElement} */
  const query = byId('query');
  /** @type {readonly Product[]} */
  let products = [];
  let category = '';

  const readAddress = () => {
    const search = new URLSearchParams(location.search);
    query.value = search.get('q') ?? '';
    category = search.get('category') ?? '';
  };

  const writeAddress = () => {
    const search = new URLSearchParams();
    if (category) search.set('category', category);
    if (query.value.trim()) search.set('q', query.value.trim());
    const text = search.size > 0 ? `?${search}` : '';
    history.replaceState(history.state, '', `${location.pathname}${text}${location.hash}`);
  };

  /** @param {string} name */
  const choose = (name) => {
    category = name;
    writeAddress();
    showMatches();
  };

  const clear = () => {
    query.value = '';
    showFilters();
    choose('');
    byId('categories').querySelector('input')?.focus();
  };

  const showFilters = () => {
    const categories = countCategories(products);
    if (!categories.some(({ name }) => name === category)) category = '';
    byId('search').hidden = products.length === 0;
    byId('filters').hidden = products.length === 0;
    byId('categories').replaceChildren(
      ...[{ name: '', count: products.length }, ...(categories.length > 1 ? categories : [])].map(
        (entry) => categoryChoice(entry, entry.name === category, choose),
      ),
    );
  };

  const showMatches = () => {
    const matches = filterProducts(products, { category, query: query.value });
    const filtered = category !== '' || query.value.trim() !== '';
    byId('result-count').textContent = countText(matches.length, products.length, filtered);
    place.replaceChildren(
      matches.length > 0 ? cardList(matches, !filtered) : nothingFound(query.value.trim(), clear),
    );
  };

  query.addEventListener('input', () => {
    writeAddress();
    showMatches();
  });

  return {
    showLoading() {
      place.setAttribute('aria-busy', 'true');
      place.replaceChildren(skeletonList());
    },
    /** @param {readonly Product[]} list */
    show(list) {
      products = list;
      place.setAttribute('aria-busy', 'false');
      readAddress();
      showFilters();
      if (products.length > 0) showMatches();
      else place.replaceChildren(emptyShelf());
    },
    /**
     * @param {Error} error
     * @param {() => unknown} retry
     */
    showFailure(error, retry) {
      place.setAttribute('aria-busy', 'false');
      place.replaceChildren(failureNotice('The catalogue could not be loaded', error, retry));
    },
    /** @param {number} id */
    find: (id) => products.find((product) => product.id === id),
  };
}

/**
 * @param {{ name: string, count: number }} entry
 * @param {boolean} checked
 * @param {(name: string) => void} choose
 */
function categoryChoice({ name, count }, checked, choose) {
  return h(
    'label',
    {},
    h('input', {
      type: 'radio',
      name: 'category',
      value: name,
      checked,
      onchange: () => choose(name),
    }),
    h('span', { text: name || 'Everything' }),
    h('span', { class: 'count', 'aria-hidden': 'true', text: count }),
  );
}

/**
 * @param {number} shown
 * @param {number} total
 * @param {boolean} filtered
 */
function countText(shown, total, filtered) {
  const noun = total === 1 ? 'product' : 'products';
  return filtered ? `${shown} of ${total} ${noun}` : `${total} ${noun}`;
}

/**
 * @param {readonly Product[]} products
 * @param {boolean} withFeature
 */
function cardList(products, withFeature) {
  const featured = withFeature && products.length >= 5;
  return h(
    'ul',
    { class: 'cards', role: 'list' },
    products.map((product, index) => {
      const first = featured && index === 0;
      return h('li', { class: first ? 'wide' : null }, card(product, first, index < 4));
    }),
  );
}

/**
 * @param {Product} product
 * @param {boolean} featured
 * @param {boolean} eager
 */
function card(product, featured, eager) {
  const { id, name, tagline, price, image } = product;
  return h(
    'article',
    { class: featured ? 'card featured' : 'card' },
    picture({ image, name, eager }),
    h(
      'div',
      { class: 'card-text' },
      h('h3', {}, h('a', { href: `#product-${id}`, text: name })),
      tagline && h('p', { class: 'card-tagline', text: tagline }),
      h('p', { class: 'price', text: formatPrice(price) }),
    ),
  );
}

function skeletonList() {
  return h(
    'div',
    { class: 'cards' },
    h('p', { class: 'visually-hidden', text: 'Loading the catalogue' }),
    Array.from({ length: 8 }, () =>
      h(
        'div',
        { class: 'card', 'aria-hidden': 'true' },
        h('div', { class: 'picture skeleton' }),
        h('div', { class: 'skeleton line' }),
        h('div', { class: 'skeleton line short' }),
      ),
    ),
  );
}

function emptyShelf() {
  return notice({
    title: 'The shelves are being filled',
    text: 'There is nothing in the catalogue yet. Look in again soon.',
  });
}

/**
 * @param {string} text
 * @param {() => void} clear
 */
function nothingFound(text, clear) {
  return notice({
    title: text ? `Nothing found for “${text}”` : 'Nothing in this category',
    text: 'Try another word, or look through everything.',
    action: { label: 'Show everything', run: clear },
  });
}
