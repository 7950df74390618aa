import type { Product } from '#validators/site';
// Filters, sorts and pages the list of products. No page needed.
import { foldText } from '../../words/fold-text.js';

export type SortKey = 'order' | 'name' | 'category' | 'price' | 'stock';
export type Availability = '' | 'for-sale' | 'few' | 'sold-out' | 'no-price';
/** pieces left of each product; null if they are not counted */
export type Stock = ReadonlyMap<number, number | null>;
/** The user's choice of products to see. */
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

/** Products of one page. */
export const pageSize = 50;

/** The most pieces that count as few. */
export const few = 5;

const sortKeys: readonly SortKey[] = ['order', 'name', 'category', 'price', 'stock'];
const availabilities: readonly Availability[] = ['for-sale', 'few', 'sold-out', 'no-price'];

/** The state that shows the catalogue as visitors see it. */
const everything = {
  query: '',
  category: '',
  availability: '',
  sort: 'order',
  isDescending: false,
  page: 1,
} as ListState;

/** `q=tea&sort=-price&page=2` -> the list's state. Invalid values are ignored. */
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

/** Returns the state as a query; empty for the catalogue as visitors see it. */
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

/** Returns true if the list shows the catalogue in its own order, so that products can be moved. */
export function isInOrder(state: ListState) {
  return !isFiltered(state) && state.sort === 'order' && !state.isDescending;
}

/** Returns the function that searches and sorts. It caches the folded text of each product object. */
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
        (!state.category || categoryKey(product.category) === categoryKey(state.category)) &&
        isAvailable(product, stock, state.availability) &&
        words.every((word) => textOf(product).includes(word)),
    );
    return sorted(found, stock, state);
  };
}

function isAvailable({ id, price }: Product, stock: Stock | undefined, filter: Availability) {
  const left = stock?.get(id) ?? null;
  if (filter === 'for-sale') return price > 0 && left !== 0;
  if (filter === 'few') return left !== null && left > 0 && left <= few;
  if (filter === 'sold-out') return left === 0;
  return filter === 'no-price' ? price === 0 : true;
}

function sorted(
  products: readonly Product[],
  stock: Stock | undefined,
  { sort, isDescending }: ListState,
) {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const left = ({ id }: Product) => stock?.get(id) ?? Number.MAX_SAFE_INTEGER;
  const by: Record<SortKey, (a: Product, b: Product) => number> = {
    // They already have this order, and sorting is stable.
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

/** Returns one page of the found products; a page beyond the last one is the last. */
export function pageOf<Item>(items: readonly Item[], number: number) {
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(number, pages);
  const first = (page - 1) * pageSize;
  return { page, pages, first, items: items.slice(first, first + pageSize) };
}

/** Returns what equal categories have in common: case and surrounding spaces make no difference. */
export function categoryKey(name: string) {
  return name.trim().normalize('NFC').toLowerCase();
}

/** Returns the categories in alphabetical order, each as it is written first. */
export function categoriesOf(products: readonly Product[]) {
  const names = new Map<string, string>();
  for (const { category } of products) {
    const key = categoryKey(category);
    if (key && !names.has(key)) names.set(key, category.trim());
  }
  return [...names.values()].sort(new Intl.Collator(undefined, { numeric: true }).compare);
}
