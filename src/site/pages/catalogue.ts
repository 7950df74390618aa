import type { Product } from '#validators/site';
import { foldText } from '../../base/fold-text.js';

/** Products on one page of the catalogue: whole rows of two, three and four. */
export const pageSize = 24;

/** Characters of a catalogue search; the rest is ignored. */
export const longestSearch = 200;
/** The most words of a catalogue search; the rest is ignored. */
const mostWords = 10;

/** What a visitor wants to see of the catalogue. */
export interface Selection {
  /** '' for all. */
  readonly category: string;
  /** What is looked for; '' for everything. */
  readonly query: string;
  /** From 1. */
  readonly page: number;
}

/** One page of the catalogue. What was wanted is in it as it could be fulfilled. */
export interface Found extends Selection {
  readonly products: readonly Product[];
  /** Products on all its pages together. */
  readonly matches: number;
  readonly pages: number;
}

export interface Category {
  readonly name: string;
  readonly products: readonly Product[];
}

export interface Catalogue {
  readonly products: readonly Product[];
  /** In the order of the products. */
  readonly categories: readonly Category[];
  find(wanted: Selection): Found;
  byId(id: number): Product | undefined;
}

/** The products of one moment, in the order in which they are shown. Their texts are folded once, for the first search. */
export function createCatalogue(products: readonly Product[]): Catalogue {
  const categories = categoriesOf(products);
  const ids = new Map(products.map((product) => [product.id, product]));
  let texts: ReadonlyMap<Product, string> | undefined;

  function search(among: readonly Product[], query: string): readonly Product[] {
    const words = foldText(query).split(/\s+/).filter(Boolean).slice(0, mostWords);
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
      const chosen = categories.find(({ name }) => name === category);
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

/** What the query of an address wants; what cannot be meant is as if it were not there. */
export function readSelection(query: Readonly<Record<string, unknown>>): Selection {
  const text = (name: string) => String(query[name] ?? '').trim();
  const page = text('page');
  return {
    category: text('category'),
    query: [...text('q')].slice(0, longestSearch).join(''),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The address of a part of the catalogue: `/?category=Coffee&q=beans&page=2`. */
export function catalogueAddress({ category, query, page }: Selection): string {
  const search = new URLSearchParams();
  if (category) search.set('category', category);
  if (query) search.set('q', query);
  if (page > 1) search.set('page', String(page));
  return search.size > 0 ? `/?${search}` : '/';
}

/** The numbers of the pages that are linked to: the first, the last, and those around; a gap is undefined. */
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
  const found = new Map<string, Product[]>();
  for (const product of products) {
    const name = product.category.trim();
    const known = found.get(name);
    if (known) known.push(product);
    else if (name) found.set(name, [product]);
  }
  return [...found].map(([name, list]) => ({ name, products: list }));
}

function foldedText({ name, tagline, description, category, features }: Product): string {
  return foldText([name, tagline, description, category, ...features].join('\n'));
}
