import { AppError } from '../base/errors.js';
import { inBackground } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { StateStore } from '../base/state.js';
import type { Waits } from '../base/waits.js';
import type { Config } from '../config/config.js';
import { createImages } from '../images/images.js';
import { srcsetOf } from '../images/media.js';
import { createResizer, loadSharp } from '../images/resize.js';
import { createCheckout } from '../orders/checkout.js';
import { paymentKeyOf } from '../orders/following.js';
import { createOrderNumbers } from '../orders/order-numbers.js';
import { createOrders } from '../orders/orders.js';
import { orderPageRoutes } from '../orders/pages/order-page-routes.js';
import { refusedByProvider } from '../orders/refusals.js';
import { keepOrdersTidy } from '../orders/retention.js';
import { orderRoutes } from '../orders/routes/order-routes.js';
import type { OrderStore } from '../orders/store.js';
import type { Asked, Till, TillCashier } from '../orders/till.js';
import type { Payments } from '../payments/payments.js';
import { ProviderError } from '../payments/providers/provider.js';
import type { Cashier } from '../payments/sessions/sessions.js';
import { imagesIn } from '../site/content.js';
import { pageRoutes } from '../site/pages/page-routes.js';
import { createSitePages } from '../site/pages/site-pages.js';
import { createSiteViews, type Sales } from '../site/pages/site-view.js';
import type { AuditChange } from '../site/routes/define-route.js';
import { imageRoutes } from '../site/routes/image-routes.js';
import type { SiteContent } from '../site/site-content.js';
import type { ServedStorage } from './storage.js';

interface OpenOrdersOptions {
  readonly storage: Pick<ServedStorage, 'clock' | 'rateLimiter'>;
  /** The store of all orders. It stays open until the orders are closed. */
  readonly store: OrderStore;
  readonly state: StateStore;
  readonly content: Pick<SiteContent, 'products'>;
  /** Absent if this process does not serve the gateway. Nothing can be bought then. */
  readonly payments?: Payments | undefined;
  readonly waits: Waits;
  readonly log: Logger;
  /** Add what was done to the audit log. */
  readonly noteChange: AuditChange;
  readonly noteOrder: AuditChange;
  readonly noteCheckout: AuditChange;
}

/** Opens the store of all orders and the background removal of old ones. */
export async function openOrderBook({
  config,
  storage,
  log,
}: Pick<OpenOrdersOptions, 'log'> & {
  readonly config: Pick<Config, 'paymentRetention' | 'orderContactDays'>;
  readonly storage: Pick<ServedStorage, 'orders' | 'clock' | 'deletionTime'>;
}) {
  const store = await storage.orders();
  const { clock, deletionTime } = storage;
  const retention = config.paymentRetention * 1000;
  const contactRetention = config.orderContactDays * 86_400_000;
  const tidying = inBackground((signal) =>
    keepOrdersTidy({ store, retention, contactRetention, clock, deletionTime, log }, signal),
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

interface OpenShopOptions extends OpenOrdersOptions {
  readonly config: Pick<Config, 'providerZone' | 'hosts' | 'publicUrl'>;
  readonly content: SiteContent;
  /** Returns the public address of the site, which is known once its listener is open. */
  publicUrl(): string;
}

/**
 * Opens the pages of the site and the orders. Site pages show what is for sale, and order pages use the site's frame.
 */
export function openShop(options: OpenShopOptions) {
  const { config, content, storage, publicUrl } = options;
  const { orders, sales, group } = openOrders(options);
  const { hosts, providerZone: zone } = config;
  const views = createSiteViews({ source: content, sales, publicUrl, zone, srcsetOf });
  const pages = createSitePages({ views, publicUrl });
  const ownHosts = config.publicUrl ? [...hosts, new URL(config.publicUrl).hostname] : hosts;
  const paying = orderPageRoutes({ orders, pages, clock: storage.clock, zone, ownHosts });
  return {
    groups: [group, pageRoutes({ views, sales }), paying],
    /** Draws error pages for browsers. */
    failurePage: pages.failure,
  };
}

/** Opens the sale of the site's products, which requires the gateway in this process. */
function openOrders(options: OpenOrdersOptions) {
  const { store, storage, content, payments, log } = options;
  const till = payments && createTill(payments, log);
  const checkout = createCheckout(options.state);
  const orders = createOrders({
    ...options,
    ...storage,
    findProduct: content.products.read,
    nextNumber: createOrderNumbers(options),
    readCheckout: checkout.read,
    till,
  });
  const sales: Sales = {
    stock: orders.stock,
    canPay: () => till?.isOpen() ?? false,
    onChange: (listener) => store.onStock(listener),
  };
  return {
    orders,
    sales,
    group: orderRoutes({ ...options, orders, checkout, listProducts: content.products.list }),
  };
}

type SoldOrder = Parameters<TillCashier['createQr']>[0];

/** Creates a till that creates payments for orders on behalf of a cashier who is signed in to the gateway. */
export function createTill(
  { sessions, gateway, intents }: Pick<Payments, 'sessions' | 'gateway' | 'intents'>,
  log: Logger,
): Till {
  /** Returns whether an earlier call for the order is in doubt. A new response does not resolve that doubt. */
  async function isInDoubt({ id }: SoldOrder): Promise<boolean> {
    for await (const { key } of intents.list('in_doubt')) {
      if (key === paymentKeyOf({ id })) return true;
    }
    return false;
  }

  /** Returns the meaning of a failure for the order. Rethrows unexpected errors. */
  async function readFailure(order: SoldOrder, error: unknown): Promise<Asked> {
    if (error instanceof AppError && error.code === 'in_doubt') return 'in_doubt';
    if (!(error instanceof ProviderError)) throw error;
    if (!error.isClear || (await isInDoubt(order))) return 'in_doubt';
    if (error.kind === 'session_ended') return 'signed_out';
    const { id, amount } = order;
    log.warn(
      { order: id, amount, reason: error.message },
      'The provider declined the payment of an order.',
    );
    throw refusedByProvider(error);
  }

  const asTillCashier = (cashier: Cashier): TillCashier => ({
    organizationId: cashier.session.organizationId,
    profileId: cashier.session.profileId,
    organizationName: cashier.session.orgName,
    phone: cashier.session.phone,
    async createQr(order) {
      const { id: reference, amount, profileId } = order;
      const repeat = { key: paymentKeyOf(order), isNew: false };
      try {
        await gateway.as(cashier).createQr({ amount, reference, profileId }, repeat);
        return 'made';
      } catch (error) {
        return readFailure(order, error);
      }
    },
  });

  return {
    isOpen: sessions.isAnyoneSignedIn,
    cashiers: async (organizationId) =>
      (await sessions.newest(organizationId)).map((cashier) => asTillCashier(cashier)),
  };
}

interface OpenImagesOptions {
  readonly storage: ServedStorage;
  readonly content: SiteContent;
  readonly audit: AuditChange;
  readonly log: Logger;
}

/** Opens the routes of the site's pictures and the background removal of pictures that are not used on the site. */
export async function openImages({ storage, content, audit, log }: OpenImagesOptions) {
  const { clock } = storage;
  const store = await storage.images();
  const images = createImages({
    store,
    clock,
    log,
    resize: createResizer({ clock }),
    referenced: async () =>
      imagesIn({
        // Deleted entries can be restored, together with their pictures.
        products: [...(await content.products.list()), ...(await content.products.listDeleted())],
        announcements: [
          ...(await content.announcements.list()),
          ...(await content.announcements.listDeleted()),
        ],
      }),
  });
  const isAvailable = () =>
    loadSharp().then(
      () => true,
      () => false,
    );
  const cleaning = inBackground(images.run);
  return {
    groups: [imageRoutes({ images, audit, isAvailable })],
    start: cleaning.start,
    async close() {
      await cleaning.stop();
      await store.close();
    },
  };
}
