import type { Product } from '#validators/site';
// Which products the list shows, and in which order. No page needed.
import { foldText } from '../shared/fold.ts';

export type SortKey = 'order' | 'name' | 'category' | 'price' | 'stock';
export type Availability = '' | 'for-sale' | 'few' | 'sold-out' | 'no-price';
/** pieces left by product; null where they are not counted */
export type Stock = ReadonlyMap<number, number | null>;
/** What the reader has chosen to see. */
export interface ListState {
  query: string;
  /** empty for all */
  category: string;
  /** empty for all */
  availability: Availability;
  sort: SortKey;
  isDescending: boolean;
  /** from 1 */
  page: number;
}

/** As many as are quickly drawn and scrolled through. */
export const pageSize = 50;

/** So many pieces are few. */
export const few = 5;

const sortKeys: readonly SortKey[] = ['order', 'name', 'category', 'price', 'stock'];
const availabilities: readonly Availability[] = ['for-sale', 'few', 'sold-out', 'no-price'];

/** The catalogue as visitors see it. */
const everything = {
  query: '',
  category: '',
  availability: '',
  sort: 'order',
  isDescending: false,
  page: 1,
} as ListState;

/** `q=tea&sort=-price&page=2` -> what to show. What is not understood is passed over. */
export function readListState(text: string): ListState {
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

/** The other way round; empty for the catalogue as visitors see it. */
export function writeListState({
  query,
  category,
  availability,
  sort,
  isDescending,
  page,
}: ListState) {
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

export function isFiltered({ query, category, availability }: ListState) {
  return query.trim() !== '' || category !== '' || availability !== '';
}

/** Whether the list shows the catalogue in the order that visitors see, so that things can be moved in it. */
export function isInOrder(state: ListState) {
  return !isFiltered(state) && state.sort === 'order' && !state.isDescending;
}

/**
 * Searches and sorts; keeps the folded text of each product, as long as the product is the same object.
 */
export function createFinder() {
  const texts: WeakMap<Product, string> = new WeakMap();
  const textOf = (product: Product) => {
    const { name, tagline, category } = product;
    const text = texts.get(product) ?? foldText([name, tagline, category].join('\n'));
    texts.set(product, text);
    return text;
  };

  /** @param products in the order of the catalogue */
  return (products: readonly Product[], stock: Stock | undefined, state: ListState) => {
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

function isAvailable({ id, price }: Product, stock: Stock | undefined, wanted: Availability) {
  const left = stock?.get(id) ?? null;
  if (wanted === 'for-sale') return price > 0 && left !== 0;
  if (wanted === 'few') return left !== null && left > 0 && left <= few;
  if (wanted === 'sold-out') return left === 0;
  return wanted === 'no-price' ? price === 0 : true;
}

function sorted(
  products: readonly Product[],
  stock: Stock | undefined,
  { sort, isDescending }: ListState,
) {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const left = ({ id }: Product) => stock?.get(id) ?? Number.MAX_SAFE_INTEGER;
  const by: Record<SortKey, (a: Product, b: Product) => number> = {
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

/** One page of what was found; a page beyond the last one is the last. */
export function pageOf<Item>(items: readonly Item[], wanted: number) {
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(wanted, pages);
  const first = (page - 1) * pageSize;
  return { page, pages, first, items: items.slice(first, first + pageSize) };
}

/** Names of categories, in the order of the alphabet. */
export function categoriesOf(products: readonly Product[]) {
  const names = new Set(products.map(({ category }) => category.trim()).filter(Boolean));
  return [...names].sort(new Intl.Collator(undefined, { numeric: true }).compare);
}
