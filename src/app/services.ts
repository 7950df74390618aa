import * as gatewayValidators from '#validators/gateway';
import * as messagingValidators from '#validators/messaging';
import * as siteValidators from '#validators/site';
import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { Logger } from '../base/log.js';
import type { RateLimiter } from '../base/rate-limit.js';
import { createWaits, type Waits } from '../base/waits.js';
import type { Config } from '../config/config.js';
import { loadSecrets, type Secrets } from '../config/secrets.js';
import { adminAuthenticator } from '../http/admin-auth.js';
import type { Authenticator } from '../http/endpoint.js';
import type { RouteGroup } from '../http/route.js';
import { createMessaging } from '../messaging/messaging.js';
import { messagingRoutes } from '../messaging/routes/messaging-routes.js';
import { userAuthenticator } from '../messaging/routes/principal.js';
import { cashierAuthenticator } from '../payments/routes/cashier-auth.js';
import { paymentRoutes } from '../payments/routes/payment-routes.js';
import { demoContent } from '../site/demo.js';
import { siteRoutes } from '../site/routes.js';
import { createSiteContent, fillSite } from '../site/site-content.js';
import { openPaymentServices } from './payment-services.js';
import type { Backend } from './storage/backend.js';
import { openJsonBackend } from './storage/json-backend.js';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly only?: 'site' | 'gateway';
  readonly demo: boolean;
  readonly shutdown: AbortSignal;
  /** For secrets that settings name by their variable. */
  readonly environment: Environment;
  /** The site's address as clients see it, known once its listener is open. */
  publicUrl(): string;
}

/** The features, put together on one storage. */
export interface Services {
  readonly siteGroups: readonly RouteGroup[];
  readonly gatewayGroups: readonly RouteGroup[];
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly rateLimiter: RateLimiter;
  /** Starts the work that happens without requests. */
  start(): Promise<void>;
  /** Stops it and writes what is waiting. */
  close(): Promise<void>;
}

/** Opens the storage and puts every feature on it. */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { config, only } = options;
  const backend = await openBackend(options);
  const on = { ...options, clock: backend.clock, backend, waits: createWaits() };
  try {
    const secrets = await loadSecrets(config.data, config);
    const site = only === 'gateway' ? undefined : await openSite(on);
    const messaging = only === 'gateway' ? undefined : await openMessaging(on, secrets);
    const gateway = only === 'site' ? undefined : await openGateway(on, secrets);
    return {
      siteGroups: [...(messaging?.groups ?? []), ...(site?.groups ?? [])],
      gatewayGroups: gateway?.groups ?? [],
      authenticators: {
        admin: adminAuthenticator(config.adminToken, backend.rateLimiter),
        ...(messaging ? { user: messaging.authenticator } : {}),
        ...gateway?.authenticators,
      },
      rateLimiter: backend.rateLimiter,
      async start() {
        await gateway?.start();
      },
      async close() {
        // The storage goes last: until then the features write to it, also when one of them fails.
        const closed = await Promise.allSettled([gateway?.close(), messaging?.close()]);
        await backend.close();
        for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
      },
    };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** What serves a database is loaded only where there is one. */
async function openBackend(options: ServiceOptions): Promise<Backend> {
  const { database } = options.config;
  if (database === undefined) return openJsonBackend(options);
  const { openPostgresBackend } = await import('./storage/postgres-backend.js');
  return openPostgresBackend(database, options);
}

interface FeatureOptions extends ServiceOptions {
  readonly backend: Backend;
  readonly waits: Waits;
}

interface OpenFeature {
  readonly groups: readonly RouteGroup[];
}

async function openSite({ backend, clock, demo }: FeatureOptions): Promise<OpenFeature> {
  const { store, isNew } = await backend.openSite();
  const content = createSiteContent({ store, clock });
  if (demo && isNew) await fillSite(content, demoContent);
  return { groups: [siteRoutes({ content, validators: siteValidators })] };
}

interface OpenMessaging extends OpenFeature {
  readonly authenticator: Authenticator;
  close(): Promise<void>;
}

async function openMessaging(options: FeatureOptions, secrets: Secrets): Promise<OpenMessaging> {
  const { config, clock, log, backend, waits, publicUrl } = options;
  const { rateLimiter } = backend;
  const store = await backend.openMessaging();
  const { jwtSecret } = secrets;
  const messaging = createMessaging({
    ...config,
    store,
    clock,
    log,
    counter: rateLimiter,
    waits,
    jwtSecret,
  });
  const validators = messagingValidators;
  return {
    groups: [messagingRoutes({ ...messaging, rateLimiter, validators, publicUrl })],
    authenticator: userAuthenticator(messaging.accounts),
    close: messaging.close,
  };
}

interface OpenGateway extends OpenFeature {
  readonly authenticators: Services['authenticators'];
  start(): Promise<void>;
  close(): Promise<void>;
}

async function openGateway(options: FeatureOptions, secrets: Secrets): Promise<OpenGateway> {
  const { rateLimiter, gateway: stores } = options.backend;
  const services = await openPaymentServices({ ...options, ...secrets, stores, label: 'serve' });
  const { payments, webhooks, close } = services;
  const closing = new AbortController();
  let tidying: Promise<void> | undefined;
  return {
    groups: [paymentRoutes({ ...payments, rateLimiter, validators: gatewayValidators })],
    authenticators: { cashier: cashierAuthenticator(payments.sessions) },
    async start() {
      webhooks.start();
      await payments.watcher.start();
      tidying = payments.retention.run(closing.signal);
    },
    async close() {
      closing.abort();
      await tidying;
      await close();
    },
  };
}
