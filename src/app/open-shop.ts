import type { Config } from '../config/config.js';
import { orderPageRoutes } from '../orders/pages/order-page-routes.js';
import { type OpenOrdersOptions, openOrders } from './open-orders.js';
import { type OpenPagesOptions, openPages } from './open-pages.js';

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
