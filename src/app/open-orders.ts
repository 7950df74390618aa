import { inBackground } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { Waits } from '../base/waits.js';
import type { Config } from '../config/config.js';
import type { RouteGroup } from '../http/route/route.js';
import { createOrders, type Orders } from '../orders/orders.js';
import { keepOrdersTidy } from '../orders/retention.js';
import { orderRoutes } from '../orders/routes/order-routes.js';
import type { OrderStore } from '../orders/store.js';
import type { Payments } from '../payments/payments.js';
import type { Sales } from '../site/pages/sales.js';
import type { SiteContent } from '../site/site-content.js';
import type { ServedStorage } from './storage.js';
import { createTill } from './till.js';

export interface OpenOrdersOptions {
  readonly storage: Pick<ServedStorage, 'clock' | 'rateLimiter'>;
  /** Of all orders; it stays open until these are closed. */
  readonly store: OrderStore;
  readonly content: Pick<SiteContent, 'readProduct' | 'listProducts'>;
  /** Absent where the gateway is not served by this process: nothing can be bought then. */
  readonly payments?: Payments | undefined;
  readonly waits: Waits;
  readonly log: Logger;
  /** Writes down that the stock was changed. */
  noteChange(ids: Readonly<Record<string, string>>): Promise<void>;
}

export interface OpenedOrders {
  readonly orders: Orders;
  /** What the pages for visitors know of selling. */
  readonly sales: Sales;
  readonly group: RouteGroup;
}

/** Where all orders are kept, and what keeps that from growing without end. */
export async function openOrderBook({
  config,
  storage,
  log,
}: Pick<OpenOrdersOptions, 'log'> & {
  readonly config: Pick<Config, 'paymentRetention'>;
  readonly storage: Pick<ServedStorage, 'orders' | 'clock' | 'deletionTime'>;
}) {
  const store = await storage.orders();
  const { clock, deletionTime } = storage;
  const retention = config.paymentRetention * 1000;
  const tidying = inBackground((signal) =>
    keepOrdersTidy({ store, retention, clock, deletionTime, log }, signal),
  );
  return {
    store,
    start: tidying.start,
    async close(): Promise<void> {
      await tidying.stop();
      await store.close();
    },
  };
}

/** Sells the products of the site, through the gateway where this process serves it. */
export function openOrders(options: OpenOrdersOptions): OpenedOrders {
  const { store, storage, content, payments, log } = options;
  const till = payments && createTill(payments, log);
  const orders = createOrders({
    ...options,
    ...storage,
    findProduct: content.readProduct,
    till,
  });
  const sales: Sales = {
    stock: orders.stock,
    canPay: () => till?.isOpen() ?? false,
    onChange: (listener) => store.onStock(listener),
  };
  return { orders, sales, group: orderRoutes({ ...options, orders, ...content }) };
}
