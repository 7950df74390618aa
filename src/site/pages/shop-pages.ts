import { AppError } from '../../base/errors.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Language } from '../../words/languages.js';
import { catalogueAddress, readSelection } from './catalogue.js';
import type { FramedPage } from './frame.js';
import { homePage } from './home.js';
import { inLanguage } from './parts.js';
import { obstacle, productPage } from './product.js';
import type { SiteView } from './site-view.js';

/** A page of the shop. Each page has an entry in `shopPages` and a function that draws it. */
export interface ShopPage {
  /** Route path, such as `/products/:id`. */
  readonly path: string;
  /** Unique route name in camel case. */
  readonly name: string;
  readonly summary: string;
  /** Query parameters in addition to `lang`, which every page has. */
  readonly query?: QueryParameters;
  /** Returns the page's paths for the sitemap. */
  addresses(view: SiteView): readonly string[];
  /** Returns the page for a request. Throws `not_found` if there is no page at the address. */
  open(request: PageRequest): OpenedPage;
}

interface PageRequest {
  readonly view: SiteView;
  readonly language: Language;
  /** The language in the address. The links of the page preserve it. */
  readonly named: Language | undefined;
  /** The path parameter `id`. */
  readonly id: number;
  readonly query: Readonly<Record<string, unknown>>;
  /** True if the shop can currently take payments. */
  readonly canPay: boolean;
}

interface OpenedPage {
  /**
   * The cache key, without the language. The page is cached until the site changes. Undefined for a page that is drawn
   * for every request.
   */
  readonly keptAs: string | undefined;
  /** True if the page has an order form, which receives a new key for each visit. */
  readonly takesOrders?: boolean;
  draw(): FramedPage;
}

const home: ShopPage = {
  path: '/',
  name: 'showHome',
  summary: 'The home page: the catalogue and the news',
  query: {
    category: { type: 'string', description: 'only products in this category' },
    q: { type: 'string', description: 'only products that contain these words' },
    page: { type: 'string', description: 'page number, starting at 1' },
  },
  addresses: () => ['/'],
  open({ view, language, named, query }) {
    const found = view.catalogue.find(readSelection(query));
    const path = inLanguage(catalogueAddress(found), named);
    return {
      // Search results are not cached, because the number of possible searches is unlimited.
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
    if (!found) throw new AppError('not_found', `There is no product with ID ${id}.`);
    const path = inLanguage(`/products/${id}`, named);
    return {
      keptAs: `${path} ${canPay}`,
      takesOrders: !obstacle(found, view.stock.get(id), canPay),
      draw: () => productPage({ product: found, view, language, path, canPay }),
    };
  },
};

/** The pages of the shop, from which the routes and the sitemap are created. */
export const shopPages: readonly ShopPage[] = [home, product];
