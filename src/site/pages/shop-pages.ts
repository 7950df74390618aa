import { AppError } from '../../base/errors.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Language } from '../../words/languages.js';
import { catalogueAddress, readSelection } from './catalogue.js';
import type { FramedPage } from './frame.js';
import { homePage } from './home.js';
import { inLanguage } from './parts.js';
import { obstacle, productPage } from './product.js';
import type { SiteView } from './site-view.js';

/** A page of the shop. An entry of `shopPages` is all that a new one needs beside the function that draws it. */
export interface ShopPage {
  /** Path of its route: `/products/:id`. */
  readonly path: string;
  /** Unique camel-case name of its route. */
  readonly name: string;
  readonly summary: string;
  /** Query parameters besides `lang`, which every page has. */
  readonly query?: QueryParameters;
  /** Returns the paths that search engines find it at, for the sitemap. */
  addresses(view: SiteView): readonly string[];
  /** Returns the page for a request. Throws `not_found` if nothing is at its address. */
  open(request: PageRequest): OpenedPage;
}

interface PageRequest {
  /** The site as it is now. */
  readonly view: SiteView;
  readonly language: Language;
  /** The language that the address itself names, which the links of the page keep. */
  readonly named: Language | undefined;
  /** The path parameter `id`. */
  readonly id: number;
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether somebody can take payments now. */
  readonly canPay: boolean;
}

interface OpenedPage {
  /**
   * What a drawn page depends on beside the site and the language: it is kept under this until the site changes.
   * Undefined for a page that is drawn for every request.
   */
  readonly keptAs: string | undefined;
  /** Whether it has an order form, which is given a key for each visit. */
  readonly takesOrders?: boolean;
  draw(): FramedPage;
}

const home: ShopPage = {
  path: '/',
  name: 'showHome',
  summary: 'The home page: the catalogue and the news',
  query: {
    category: { type: 'string', description: 'Products of this category alone' },
    q: { type: 'string', description: 'Products with these words' },
    page: { type: 'string', description: 'Which page of them, from 1' },
  },
  addresses: () => ['/'],
  open({ view, language, named, query }) {
    const found = view.catalogue.find(readSelection(query));
    const path = inLanguage(catalogueAddress(found), named);
    return {
      // There is no end to what people search for.
      keptAs: found.query ? undefined : path,
      draw: () => homePage({ view, language, path, found }),
    };
  },
};

const product: ShopPage = {
  path: '/products/:id',
  name: 'showProduct',
  summary: 'The page of a product',
  addresses: ({ catalogue }) => catalogue.products.map(({ id }) => `/products/${id}`),
  open({ view, language, named, id, canPay }) {
    const found = view.catalogue.byId(id);
    if (!found) throw new AppError('not_found', `There is no product with the id ${id}.`);
    const path = inLanguage(`/products/${id}`, named);
    return {
      keptAs: `${path} ${canPay}`,
      takesOrders: !obstacle(found, view.stock.get(id), canPay),
      draw: () => productPage({ product: found, view, language, path, canPay }),
    };
  },
};

/** The pages of the shop. Routes, sitemap and caching are made from this list. */
export const shopPages: readonly ShopPage[] = [home, product];
