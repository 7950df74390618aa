import type { Announcement } from '#validators/site';
import { lazy } from '../../base/single-flight.js';
import {
  cacheRepresentations,
  type RepresentationCache,
} from '../../http/answer/representation.js';
import type { SiteContent } from '../site-content.js';
import { type Catalogue, createCatalogue } from './catalogue.js';
import type { SiteFacts } from './site-facts.js';

/** What pages know of selling. */
export interface Sales {
  /** Pieces left of the products that have a count, by their ids. */
  stock(): Promise<ReadonlyMap<number, number>>;
  /** Whether somebody can take payments in this process now. Asked for every page that sells: cheap. */
  canPay(): boolean;
  /** Calls `listener` when the stock may have changed. */
  onChange(listener: () => void): void;
}

/** The site as it stands at one moment. */
export interface SiteView extends SiteFacts {
  readonly catalogue: Catalogue;
  readonly announcements: readonly Announcement[];
  readonly stock: ReadonlyMap<number, number>;
  /** The zone of the shop's days. */
  readonly zone: string;
  /** The `srcset` of a picture of ours. */
  readonly srcsetOf: (image: string) => string | undefined;
  /** Keeps the pages that are drawn from this view. */
  readonly cached: RepresentationCache;
}

export interface SiteViewOptions {
  readonly source: SiteContent;
  readonly sales: Sales;
  /** The site's address as clients see it, without a slash at its end. */
  readonly publicUrl: () => string;
  readonly zone: string;
  readonly srcsetOf: (image: string) => string | undefined;
}

/** The site as pages show it: read once between two changes. */
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
    /** The site now. Fails as its storage does. */
    current: () => current.get(),
    /** The site as it was when it could be read last; undefined before that. */
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
