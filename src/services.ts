import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as gatewayValidators from '#validators/gateway';
import * as messagingValidators from '#validators/messaging';
import * as siteValidators from '#validators/site';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import type { Environment } from './environment.js';
import { AppError, systemErrorCode } from './errors.js';
import { adminAuthenticator } from './http/admin-auth.js';
import type { Authenticator } from './http/endpoint.js';
import type { RateLimiter } from './http/rate-limit.js';
import type { RouteGroup } from './http/route.js';
import type { Logger } from './log.js';
import { createMessaging } from './messaging/messaging.js';
import { messagingRoutes } from './messaging/routes/messaging-routes.js';
import { userAuthenticator } from './messaging/routes/principal.js';
import { openJsonMessagingStore } from './messaging/store-json/open.js';
import { openPaymentServices } from './payment-services.js';
import { cashierAuthenticator } from './payments/cashier-auth.js';
import { paymentRoutes } from './payments/routes.js';
import { loadSecrets, type Secrets } from './secrets.js';
import { demoContent } from './site/demo.js';
import { siteRoutes } from './site/routes.js';
import { createSiteContent, fillSite } from './site/site-content.js';
import { checkSiteDocument, openJsonSiteStore } from './site/store-json.js';
import { checkDataFormat } from './storage/json/data-format.js';
import { lockDataFolder } from './storage/json/data-lock.js';
import { durableJsonFile } from './storage/json/durable-json-file.js';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly only?: 'site' | 'gateway';
  readonly demo: boolean;
  readonly rateLimiter: RateLimiter;
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
  /** Starts the work that happens without requests. */
  start(): Promise<void>;
  /** Stops it and writes what is waiting. */
  close(): Promise<void>;
}

/** Opens the storage, once it is known to be ours, and puts every feature on it. */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { config, only, clock } = options;
  refuseDatabase(config);
  const isNew = await prepareFolder(config.data);
  const lock = await lockDataFolder({ folder: config.data, command: 'msgsite serve', clock });
  try {
    await checkDataFormat(config.data);
    const secrets = await loadSecrets(config.data, config);
    const site = only === 'gateway' ? undefined : await openSite(options, isNew);
    const messaging = only === 'gateway' ? undefined : await openMessaging(options, secrets);
    const gateway = only === 'site' ? undefined : await openGateway(options, secrets);
    return {
      siteGroups: [...(messaging?.groups ?? []), ...(site?.groups ?? [])],
      gatewayGroups: gateway?.groups ?? [],
      authenticators: {
        admin: adminAuthenticator(config.adminToken),
        ...(messaging ? { user: messaging.authenticator } : {}),
        ...gateway?.authenticators,
      },
      async start() {
        await gateway?.start();
      },
      async close() {
        // The lock goes last: until then nobody else may touch the files.
        try {
          await Promise.all([gateway?.close(), messaging?.close()]);
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function refuseDatabase({ database }: Config): void {
  if (database === undefined) return;
  throw new AppError('configuration', 'This version keeps its data in JSON files only.', {
    details: [{ path: '--database', message: 'is not supported yet' }],
  });
}

/** Makes the data folder where there is none; tells whether it was empty. */
async function prepareFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return (await readdir(folder)).length === 0;
  } catch (cause) {
    const code = systemErrorCode(cause);
    throw new AppError('configuration', `The data folder ${folder} cannot be used (${code}).`, {
      hint: 'Choose another one with --data, or let this user write there.',
      cause,
    });
  }
}

interface OpenFeature {
  readonly groups: readonly RouteGroup[];
}

async function openSite(
  { config, clock, demo }: ServiceOptions,
  isNew: boolean,
): Promise<OpenFeature> {
  const path = join(config.data, 'site.json');
  const store = await openJsonSiteStore(durableJsonFile({ path, check: checkSiteDocument(path) }));
  const content = createSiteContent({ store, clock });
  if (demo && isNew) await fillSite(content, demoContent);
  return { groups: [siteRoutes({ content, validators: siteValidators })] };
}

interface OpenMessaging extends OpenFeature {
  readonly authenticator: Authenticator;
  close(): Promise<void>;
}

async function openMessaging(options: ServiceOptions, secrets: Secrets): Promise<OpenMessaging> {
  const { config, clock, log, rateLimiter, publicUrl } = options;
  const store = await openJsonMessagingStore({
    folder: join(config.data, 'messaging'),
    clock,
    onBackgroundFailure: (err) => log.error({ err }, 'Tidying the message files failed.'),
  });
  const { jwtSecret } = secrets;
  const messaging = createMessaging({ ...config, store, clock, log, jwtSecret });
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

async function openGateway(options: ServiceOptions, secrets: Secrets): Promise<OpenGateway> {
  const { rateLimiter } = options;
  const services = await openPaymentServices({ ...options, ...secrets, label: 'serve' });
  const { payments, webhooks, close } = services;
  return {
    groups: [paymentRoutes({ ...payments, rateLimiter, validators: gatewayValidators })],
    authenticators: { cashier: cashierAuthenticator(payments.sessions) },
    async start() {
      webhooks.start();
      await payments.watcher.start();
    },
    close,
  };
}
