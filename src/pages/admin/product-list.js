// Which products the list shows, and in which order. No page needed.
import { foldText } from '../shared/fold.ts';

/** @typedef {import('#validators/site').Product} Product */
/** @typedef {'order' | 'name' | 'category' | 'price' | 'stock'} SortKey */
/** @typedef {'' | 'for-sale' | 'few' | 'sold-out' | 'no-price'} Availability */
/** @typedef {ReadonlyMap<number, number | null>} Stock pieces left by product; null where they are not counted */
/**
 * What the reader has chosen to see.
 *
 * @typedef {object} ListState
 * @property {string} query
 * @property {string} category empty for all
 * @property {Availability} availability empty for all
 * @property {SortKey} sort
 * @property {boolean} isDescending
 * @property {number} page from 1
 */

/** As many as are quickly drawn and scrolled through. */
export const pageSize = 50;

/** So many pieces are few. */
export const few = 5;

/** @type {readonly SortKey[]} */
const sortKeys = ['order', 'name', 'category', 'price', 'stock'];
/** @type {readonly Availability[]} */
const availabilities = ['for-sale', 'few', 'sold-out', 'no-price'];

/** The catalogue as visitors see it. */
const everything = /** @type {ListState} */ ({
  query: '',
  category: '',
  availability: '',
  sort: 'order',
  isDescending: false,
  page: 1,
});

/**
 * `q=tea&sort=-price&page=2` -> what to show. What is not understood is passed over.
 *
 * @param {string} text
 * @returns {ListState}
 */
export function readListState(text) {
  const search = new URLSearchParams(text);
  const sort = search.get('sort') ?? '';
  const page = Number(search.get('page'));
  return {
    query: search.get('q') ?? '',
    category: search.get('category') ?? '',
    availability: availabilities.find((name) => name === search.get('stock')) ?? '',
    sort: sortKeys.find((key) => key === sort.replace(/^-/, '')) ?? 'order',
    isDescending: sort.startsWith('-'),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/**
 * The other way round; empty for the catalogue as visitors see it.
 *
 * @param {ListState} state
 */
export function writeListState({ query, category, availability, sort, isDescending, page }) {
  const order = `${isDescending ? '-' : ''}${sort}`;
  const search = new URLSearchParams({
    ...(query.trim() ? { q: query.trim() } : {}),
    ...(category ? { category } : {}),
    ...(availability ? { stock: availability } : {}),
    ...(order === everything.sort ? {} : { sort: order }),
    ...(page > 1 ? { page: String(page) } : {}),
  });
  return search.toString();
}

/** @param {ListState} state */
export function isFiltered({ query, category, availability }) {
  return query.trim() !== '' || category !== '' || availability !== '';
}

/**
 * Whether the list shows the catalogue in the order that visitors see, so that things can be moved in it.
 *
 * @param {ListState} state
 */
export function isInOrder(state) {
  return !isFiltered(state) && state.sort === 'order' && !state.isDescending;
}

/**
 * Searches and sorts; keeps the folded text of each product, as long as the product is the same object.
 */
export function createFinder() {
  /** @type {WeakMap<Product, string>} */
  const texts = new WeakMap();
  /** @param {Product} product */
  const textOf = (product) => {
    const { name, tagline, category } = product;
    const text = texts.get(product) ?? foldText([name, tagline, category].join('\n'));
    texts.set(product, text);
    return text;
  };

  /**
   * @param {readonly Product[]} products in the order of the catalogue
   * @param {Stock | undefined} stock
   * @param {ListState} state
   */
  return (products, stock, state) => {
    const words = foldText(state.query).split(/\s+/).filter(Boolean);
    const found = products.filter(
      (product) =>
        (!state.category || product.category.trim() === state.category) &&
        isAvailable(product, stock, state.availability) &&
        words.every((word) => textOf(product).includes(word)),
    );
    return sorted(found, stock, state);
  };
}

/**
 * @param {Product} product
 * @param {Stock | undefined} stock
 * @param {Availability} wanted
 */
function isAvailable({ id, price }, stock, wanted) {
  const left = stock?.get(id) ?? null;
  if (wanted === 'for-sale') return price > 0 && left !== 0;
  if (wanted === 'few') return left !== null && left > 0 && left <= few;
  if (wanted === 'sold-out') return left === 0;
  return wanted === 'no-price' ? price === 0 : true;
}

/**
 * @param {readonly Product[]} products
 * @param {Stock | undefined} stock
 * @param {ListState} state
 */
function sorted(products, stock, { sort, isDescending }) {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  /** @param {Product} product */
  const left = ({ id }) => stock?.get(id) ?? Number.MAX_SAFE_INTEGER;
  /** @type {Record<SortKey, (a: Product, b: Product) => number>} */
  const by = {
    // They are in this order already, and equal ones stay as they are.
    order: () => 0,
    name: (a, b) => compare(a.name, b.name),
    category: (a, b) => compare(a.category, b.category),
    price: (a, b) => a.price - b.price,
    stock: (a, b) => left(a) - left(b),
  };
  if (sort === 'order') return isDescending ? [...products].reverse() : products;
  const sign = isDescending ? -1 : 1;
  return [...products].sort((a, b) => sign * by[sort](a, b));
}

/**
 * One page of what was found; a page beyond the last one is the last.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} wanted
 */
export function pageOf(items, wanted) {
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(wanted, pages);
  const first = (page - 1) * pageSize;
  return { page, pages, first, items: items.slice(first, first + pageSize) };
}

/**
 * Names of categories, in the order of the alphabet.
 *
 * @param {readonly Product[]} products
 */
export function categoriesOf(products) {
  const names = new Set(products.map(({ category }) => category.trim()).filter(Boolean));
  return [...names].sort(new Intl.Collator(undefined, { numeric: true }).compare);
}
