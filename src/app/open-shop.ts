import type { Config } from '../config/config.js';
import type { FailurePage } from '../http/answer/envelope.js';
import type { Pages } from '../http/answer/page-frame.js';
import type { RouteGroup } from '../http/route/route.js';
import { orderPageRoutes } from '../orders/pages/order-page-routes.js';
import { srcsetOf } from '../site/images/address.js';
import { pageRoutes } from '../site/pages/page-routes.js';
import { noSales, type Sales } from '../site/pages/sales.js';
import { createSitePages } from '../site/pages/site-pages.js';
import { createSiteViews } from '../site/pages/site-view.js';
import type { SiteContent } from '../site/site-content.js';
import { type OpenOrdersOptions, openOrders } from './open-orders.js';

export interface OpenShopOptions extends OpenOrdersOptions, Omit<OpenPagesOptions, 'sales'> {
  readonly config: Pick<Config, 'providerZone' | 'hosts' | 'publicUrl'>;
  readonly content: OpenOrdersOptions['content'] & OpenPagesOptions['content'];
}

/** What visitors see and buy: the pages of the site know what is sold, and those of orders have the site's frame. */
export function openShop(options: OpenShopOptions) {
  const { config, storage } = options;
  const { orders, sales, group: ofOrders } = openOrders(options);
  const { pages, group: ofSite, ...drawn } = openPages({ ...options, sales });
  const paying = orderPageRoutes({
    orders,
    pages,
    clock: storage.clock,
    zone: config.providerZone,
    ownHosts: config.publicUrl
      ? [...config.hosts, new URL(config.publicUrl).hostname]
      : config.hosts,
  });
  return { ...drawn, groups: [ofOrders, ofSite, paying] };
}

interface OpenPagesOptions {
  readonly config: Pick<Config, 'providerZone'>;
  readonly content: SiteContent;
  /** The site's address as clients see it, known once its listener is open. */
  publicUrl(): string;
  /** Nothing is sold on the site where absent. */
  readonly sales?: Sales;
}

interface OpenedPages {
  /** For other pages of the site, which share the frame. */
  readonly pages: Pages;
  readonly group: RouteGroup;
  /** How failures look to a browser. */
  readonly failurePage: FailurePage;
}

/** Puts the pages for visitors on the site's content. */
function openPages(options: OpenPagesOptions): OpenedPages {
  const { config, content, publicUrl, sales = noSales } = options;
  const zone = config.providerZone;
  const views = createSiteViews({ source: content, sales, publicUrl, zone, srcsetOf });
  const pages = createSitePages({ views, publicUrl });
  return {
    pages,
    group: pageRoutes({ views, sales }),
    failurePage: pages.failure,
  };
}
