import type { Product } from '#validators/site';
import { foldText } from '../../words/fold-text.js';

/** Number of products on one page of the catalogue. It fills rows of two, three and four. */
export const pageSize = 24;

/** Maximum length of a catalogue search, in characters. The rest is ignored. */
export const maxSearchLength = 200;
/** Maximum number of words in a catalogue search. The rest are ignored. */
const maxWords = 10;

/** The part of the catalogue that a visitor requests. */
export interface Selection {
  /** Empty for all categories. */
  readonly category: string;
  /** Empty for no search. */
  readonly query: string;
  /** The first page is 1. */
  readonly page: number;
}

/** One page of the catalogue. An unknown category is replaced by '', and a page number that is too high by the last. */
export interface Found extends Selection {
  readonly products: readonly Product[];
  /** Number of products on all pages. */
  readonly matches: number;
  readonly pages: number;
}

export interface Category {
  readonly name: string;
  readonly products: readonly Product[];
}

export interface Catalogue {
  readonly products: readonly Product[];
  /** In the order of their first products. */
  readonly categories: readonly Category[];
  find(selection: Selection): Found;
  byId(id: number): Product | undefined;
}

/**
 * Returns a catalogue of products, which must be in catalogue order. The first search folds their texts for all later
 * searches.
 */
export function createCatalogue(products: readonly Product[]): Catalogue {
  const categories = categoriesOf(products);
  const ids = new Map(products.map((product) => [product.id, product]));
  let texts: ReadonlyMap<Product, string> | undefined;

  function search(among: readonly Product[], query: string): readonly Product[] {
    const words = foldText(query).split(/\s+/).filter(Boolean).slice(0, maxWords);
    if (words.length === 0) return among;
    texts ??= new Map(products.map((product) => [product, foldedText(product)]));
    return among.filter((product) => {
      const text = texts?.get(product) ?? '';
      return words.every((word) => text.includes(word));
    });
  }

  return {
    products,
    categories,
    byId: (id) => ids.get(id),
    find({ category, query, page }) {
      const key = categoryKey(category);
      const chosen = categories.find(({ name }) => categoryKey(name) === key);
      const matches = search(chosen?.products ?? products, query);
      const pages = Math.max(1, Math.ceil(matches.length / pageSize));
      const shown = Math.min(page, pages);
      return {
        category: chosen?.name ?? '',
        query,
        page: shown,
        pages,
        matches: matches.length,
        products: matches.slice((shown - 1) * pageSize, shown * pageSize),
      };
    },
  };
}

/** Returns the selection in a query string. Invalid values are ignored. */
export function readSelection(query: Readonly<Record<string, unknown>>): Selection {
  const text = (name: string) => String(query[name] ?? '').trim();
  const page = text('page');
  return {
    category: text('category'),
    query: [...text('q')].slice(0, maxSearchLength).join(''),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** Returns the address of a selection, such as `/?category=Coffee&q=beans&page=2`. */
export function catalogueAddress({ category, query, page }: Selection): string {
  const search = new URLSearchParams();
  if (category) search.set('category', category);
  if (query) search.set('q', query);
  if (page > 1) search.set('page', String(page));
  return search.size > 0 ? `/?${search}` : '/';
}

/**
 * Returns the numbers of the linked pages: the first, the last, and those around the current one. A gap is undefined.
 */
export function pageNumbers(page: number, pages: number): readonly (number | undefined)[] {
  const near = [page - 1, page, page + 1].filter((number) => number > 1 && number < pages);
  const numbers = pages > 1 ? [1, ...near, pages] : [1];
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? number - 1;
    if (number === before + 2) return [number - 1, number];
    return number > before + 1 ? [undefined, number] : [number];
  });
}

function categoriesOf(products: readonly Product[]): readonly Category[] {
  const found = new Map<string, { name: string; products: Product[] }>();
  for (const product of products) {
    const name = product.category.trim();
    const known = found.get(categoryKey(name));
    if (known) known.products.push(product);
    else if (name) found.set(categoryKey(name), { name, products: [product] });
  }
  return [...found.values()];
}

/** Returns a key for comparing categories. It ignores case and surrounding spaces. */
function categoryKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function foldedText({ name, tagline, description, category, features }: Product): string {
  return foldText([name, tagline, description, category, ...features].join('\n'));
}
