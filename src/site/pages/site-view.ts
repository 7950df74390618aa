import type { Announcement } from '#validators/site';
import { lazy } from '../../base/single-flight.js';
import {
  cacheRepresentations,
  type RepresentationCache,
} from '../../http/answer/representation.js';
import type { SiteContent } from '../site-content.js';
import { type Catalogue, createCatalogue } from './catalogue.js';
import type { SiteFacts } from './site-facts.js';

/** The sales information that the pages show. */
export interface Sales {
  /** Returns the remaining quantity of each product with stock, by product ID. */
  stock(): Promise<ReadonlyMap<number, number>>;
  /** Returns true if this process can currently take payments. Must be fast, since every product page calls it. */
  canPay(): boolean;
  /** Calls `listener` when the stock may have changed. */
  onChange(listener: () => void): void;
}

/** A snapshot of the site. */
export interface SiteView extends SiteFacts {
  readonly catalogue: Catalogue;
  readonly announcements: readonly Announcement[];
  readonly stock: ReadonlyMap<number, number>;
  /** The shop's IANA time zone. */
  readonly zone: string;
  /** Returns the `srcset` of an uploaded picture. */
  readonly srcsetOf: (image: string) => string | undefined;
  /** Caches the pages drawn from this view. */
  readonly cached: RepresentationCache;
}

export interface SiteViewOptions {
  readonly source: SiteContent;
  readonly sales: Sales;
  /** The site's public origin, without a trailing slash. */
  readonly publicUrl: () => string;
  readonly zone: string;
  readonly srcsetOf: (image: string) => string | undefined;
}

/** Returns a cached view of the site for the pages. It is read again after each change. */
export function createSiteViews(options: SiteViewOptions) {
  const { source, sales } = options;
  let last: SiteView | undefined;
  let current = lazy(read);

  async function read(): Promise<SiteView> {
    last = await readView(options);
    return last;
  }

  function invalidate(): void {
    current = lazy(read);
  }
  source.onChange(invalidate);
  sales.onChange(invalidate);

  return {
    /** Returns the current site. Throws if the storage is unavailable. */
    current: () => current.get(),
    /** Returns the site as it was last read, or undefined before the first read. */
    last: () => last,
  };
}

export type SiteViews = ReturnType<typeof createSiteViews>;

async function readView(options: SiteViewOptions): Promise<SiteView> {
  const { source, sales, publicUrl, zone, srcsetOf } = options;
  const [products, announcements, settings, shop, stock] = await Promise.all([
    source.products.list(),
    source.listActiveAnnouncements(),
    source.readSettings(),
    source.readShop(),
    sales.stock(),
  ]);
  const catalogue = createCatalogue(products);
  const cached = cacheRepresentations();
  const origin = publicUrl();
  return { origin, catalogue, announcements, settings, shop, stock, zone, srcsetOf, cached };
}
