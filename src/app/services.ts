import { createAdmins } from '../admins/admins.js';
import { adminAuthenticators } from '../admins/authenticators.js';
import { adminRoutes } from '../admins/routes.js';
import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import { inBackground } from '../base/every.js';
import type { Logger } from '../base/log.js';
import { createWaits, type Waits } from '../base/waits.js';
import type { Config } from '../config/config.js';
import { createMessaging } from '../messaging/messaging.js';
import { userAuthenticator } from '../messaging/routes/define-route.js';
import { messagingRoutes } from '../messaging/routes/messaging-routes.js';

import type { OrderStore } from '../orders/store.js';
import { cashierAuthenticator } from '../payments/routes/define-route.js';
import { paymentRoutes } from '../payments/routes/payment-routes.js';
import { demoContent } from '../site/demo.js';
import { siteRoutes } from '../site/routes/site-routes.js';
import { createSiteContent, fillSite } from '../site/site-content.js';
import { auditChanges } from './audited.js';
import { openDemoChat } from './demo-chat.js';
import { openGatewayServices } from './gateway-services.js';
import type { MeasuredServices } from './metrics.js';
import { openImages, openOrderBook, openShop } from './open-shop.js';
import { openStorage } from './open-storage.js';
import { createReadiness } from './readiness.js';
import type { ServedStorage } from './storage.js';

export interface ServiceOptions {
  readonly config: Config;
  /** The environment from which secrets are read if a setting names their variable. */
  readonly environment: Environment;
  readonly log: Logger;
  readonly clock: Clock;
  /** The only service to run. By default, both run. */
  readonly only?: 'site' | 'gateway';
  /** True to fill an empty data folder with demonstration content. */
  readonly demo: boolean;
  readonly shutdown: AbortSignal;
  /** Returns the public address of the site, which is known once its listener is open. */
  publicUrl(): string;
  /** Called if another process has taken over the data folder. This process must then stop writing. */
  readonly onLockLost?: (() => void) | undefined;
  /** Called for every failed storage operation. */
  readonly onStorageFailure?: (() => void) | undefined;
  /** Called once for each active cashier session that the provider has ended. */
  readonly onSessionEnded?: (() => void) | undefined;
  /** Called when the provider changes the outcome of a payment that has ended. */
  readonly onPaymentCorrected?: (() => void) | undefined;
}

export type Services = Awaited<ReturnType<typeof openServices>>;

/** Opens the storage and all features that use it. */
export async function openServices(options: ServiceOptions) {
  const { config, only } = options;
  const onFailure = options.onStorageFailure;
  const storage = await openStorage('serve', { ...options, label: 'serve', onFailure });
  const { rateLimiter, clock } = storage;
  const waits = createWaits();
  const state = await storage.state();
  const audit = await storage.audit();
  const admins = createAdmins({ state, clock, audit, token: config.adminToken });
  const assertReady = createReadiness({ ...options, probe: storage.probe });
  const on = { ...options, storage, waits };
  try {
    const site = only === 'gateway' ? undefined : await openSite(on);
    const messaging =
      only === 'gateway' ? undefined : await openMessaging({ ...on, isNew: site?.isNew ?? false });
    const book = await openOrderBook(on);
    const gateway = only === 'site' ? undefined : await openGateway({ ...on, orders: book.store });
    const payments = gateway?.payments;
    const shop =
      site &&
      openShop({
        ...{ ...on, ...site, state, store: book.store, payments },
        noteOrder: auditChanges('order', { audit, clock }),
        noteCheckout: auditChanges('checkout', { audit, clock }),
      });
    return {
      siteGroups: [
        ...(messaging?.groups ?? []),
        ...(site ? [...site.groups, adminRoutes(admins)] : []),
        ...(shop?.groups ?? []),
      ],
      gatewayGroups: gateway?.groups ?? [],
      authenticators: {
        ...adminAuthenticators({ admins, rateLimiter, hasToken: config.adminToken !== undefined }),
        ...messaging?.authenticators,
        ...gateway?.authenticators,
      },
      rateLimiter,
      assertReady,
      /** Returns the services that the metrics measure. */
      measured: (): MeasuredServices => ({
        waits,
        clock,
        assertReady,
        countStored: storage.counter(),
      }),
      /** Draws the site's error pages for browsers. */
      failurePage: shop?.failurePage,
      hasAdmins: !(await admins.identify(undefined)).isOpen,
      /** The demonstration accounts, if there are any. */
      demo: messaging?.demo,
      /** Starts background work. */
      async start(): Promise<void> {
        book.start();
        site?.start();
        await gateway?.start();
      },
      /** Stops background work and writes pending data. */
      async close(): Promise<void> {
        // The storage is closed last, even if closing a feature fails, because the features write to it until then.
        const closed = await Promise.allSettled([
          gateway?.close(),
          messaging?.close(),
          site?.close(),
        ]);
        closed.push(...(await Promise.allSettled([book.close()])));
        await storage.close();
        for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

interface FeatureOptions extends ServiceOptions {
  /** The count of waiting requests, which all features share. */
  readonly waits: Waits;
  readonly storage: ServedStorage;
}

async function openSite({ storage, demo, log }: FeatureOptions) {
  const { store, isNew } = await storage.site();
  const content = createSiteContent({ store, clock: storage.clock });
  if (demo && isNew) await fillSite(content, demoContent);
  const audit = await storage.audit();
  const noteChange = auditChanges('settings', { audit, clock: storage.clock });
  const images = await openImages({ storage, content, audit: noteChange, log });
  return {
    ...images,
    isNew,
    content,
    noteChange,
    groups: [siteRoutes(content, noteChange), ...images.groups],
  };
}

async function openMessaging(options: FeatureOptions & { readonly isNew: boolean }) {
  const { config, log, storage, waits, publicUrl, isNew } = options;
  const { clock, rateLimiter } = storage;
  const { jwtSecret } = await storage.secrets();
  const store = await storage.messaging();
  const audit = await storage.audit();
  const parts = { store, clock, log, audit, waits, jwtSecret };
  const demo = await openDemoChat({ ...config, ...parts }, { mayFill: options.demo && isNew });
  const messaging = createMessaging({ ...config, ...parts, counter: rateLimiter });
  return {
    demo,
    groups: [messagingRoutes({ ...messaging, rateLimiter, publicUrl })],
    authenticators: { user: userAuthenticator(messaging.tokens) },
    close: messaging.close,
  };
}

async function openGateway(options: FeatureOptions & { readonly orders: OrderStore }) {
  const { payments, webhooks, close } = await openGatewayServices(options);
  const { waits, storage, config } = options;
  const { rateLimiter, clock } = storage;
  const zone = config.providerZone;
  await payments.resolver.recover();
  const working = inBackground((signal) =>
    Promise.all([
      payments.retention(signal),
      payments.resolver.run(signal),
      payments.nightly.run(signal),
    ]),
  );
  return {
    payments,
    groups: [paymentRoutes({ ...payments, rateLimiter, waits, clock, zone })],
    authenticators: { cashier: cashierAuthenticator(payments.sessions) },
    async start() {
      webhooks.start();
      await payments.watcher.start();
      working.start();
    },
    async close() {
      await working.stop();
      await close();
    },
  };
}
