import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '../base/environment.js';
import { readInputFile } from '../base/files/input-file.js';
import type { Logger } from '../base/log.js';
import { lazy } from '../base/single-flight.js';
import type { Config } from '../config/config.js';
import { createFollower } from '../orders/follower.js';
import type { OrderStore } from '../orders/store.js';
import { createRecovered } from '../payments/intents/recovered.js';
import { followReferences } from '../payments/payment-follower.js';
import { createPayments, type Payments } from '../payments/payments.js';
import { openProvider } from '../payments/providers/open-provider.js';
import { parseStatusMap } from '../payments/watching/payment-rules.js';
import { asDamage } from '../storage/json/check/data-checker.js';
import type { OnReplayed } from '../webhooks/replays.js';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.js';
import type { ReadStorage, SharedStorage, StorageOptions } from './storage.js';

export interface WebhookServiceOptions {
  readonly config: Config;
  readonly storage: ReadStorage;
  /** The environment from which webhook secrets in the form `env:NAME` are read. */
  readonly environment: Environment;
  readonly log: Logger;
  /** Called with every request of a replay. */
  readonly onReplayed?: OnReplayed | undefined;
}

type Instance = () => Promise<string | undefined>;

/** Opens the webhooks with their settings. Nothing is sent until `start` is called. */
export async function openWebhooks(
  options: WebhookServiceOptions,
  instance: Instance = createInstance(options),
): Promise<Webhooks> {
  const { config, storage, environment, log } = options;
  return createWebhooks({
    store: await storage.deliveries(),
    instance,
    deletionTime: storage.deletionTime,
    file: config.webhooks,
    environment,
    delays: config.webhookDelays,
    timeoutMs: config.webhookTimeout,
    privateAddresses: config.webhookPrivate,
    retentionMs: config.webhookRetention * 1000,
    droppedRetentionMs: config.webhookDroppedRetention * 1000,
    clock: storage.clock,
    log,
    onReplayed: options.onReplayed,
  });
}

/** Returns a function that reads the unique ID of this deployment, or generates it if there is none. */
function createInstance({
  storage,
  log,
}: Pick<WebhookServiceOptions, 'storage' | 'log'>): Instance {
  let known: string | undefined;
  let isReported = false;

  async function read(): Promise<string | undefined> {
    const state = await storage.state();
    const make = () => ({ id: randomBytes(16).toString('hex') });
    const stored =
      (await state.find('instance')) ??
      (await state.change('instance', (before) => (before ? undefined : make())));
    return stored?.id;
  }

  return async function instance() {
    try {
      known ??= await read();
      return known;
    } catch (error) {
      const err = asDamage(error);
      const message =
        'The ID of this deployment cannot be read. Until it is repaired, event IDs and refund keys do not contain it.';
      if (!isReported) log.error({ err }, message);
      isReported = true;
      return undefined;
    }
  };
}

export interface GatewayServiceOptions extends WebhookServiceOptions {
  readonly storage: SharedStorage;
  /** The store of orders that follow payments. By default, it is opened when a payment refers to an order. */
  readonly orders?: OrderStore | undefined;
  /** Called once for each active session that the provider has ended. */
  readonly onSessionEnded?: (() => void) | undefined;
  /** Called when the provider changes the outcome of a payment that has ended. */
  readonly onPaymentCorrected?: (() => void) | undefined;
}

/** Payments, and the webhooks that report their outcomes. */
export interface GatewayServices {
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  close(): Promise<void>;
}

/**
 * Opens payments and webhooks for `serve` and for commands. Payments report their outcomes through a function and do
 * not depend on webhooks. Nothing is polled or sent until the services are started.
 */
export async function openGatewayServices(
  options: GatewayServiceOptions,
): Promise<GatewayServices> {
  const { config, storage, log } = options;
  const { clock, deletionTime, sandbox } = storage;
  const { gatewayKey } = await storage.secrets();
  const instance = createInstance(options);
  const webhooks = await openWebhooks(options, instance);
  const statuses = readStatuses(config);
  const zone = config.providerZone;
  const provider = await openProvider({
    ...config,
    sandbox,
    folder: join(config.data, 'provider'),
    timeout: config.providerTimeout,
    clock,
    zone,
  });
  const orders = openOrdersOnce(options);
  const payments = createPayments({
    ...config,
    provider,
    stores: await storage.payments(),
    gatewayKey,
    zone,
    announce: (event) => webhooks.announce(event),
    follower: createFollower({ store: orders.open, clock, rateLimiter: storage.rateLimiter }),
    audit: await storage.audit(),
    statuses,
    retention: config.paymentRetention * 1000,
    findUndelivered: (payments) => webhooks.undeliveredOf(payments),
    onSessionEnded: options.onSessionEnded,
    deletionTime,
    onCorrected: options.onPaymentCorrected,
    state: await storage.state(),
    instance,
    clock,
    log,
  });
  return {
    payments,
    webhooks,
    async close() {
      await payments.close();
      await webhooks.stop();
      await orders.close();
    },
  };
}

/** Opens the store of orders on first use, because few commands need it. */
function openOrdersOnce({
  storage,
  orders: opened,
}: {
  readonly storage: Pick<SharedStorage, 'orders'>;
  readonly orders?: OrderStore | undefined;
}) {
  const store = lazy(() => storage.orders());
  return {
    open: async (): Promise<OrderStore> => opened ?? store.get(),
    async close(): Promise<void> {
      await (await store.made())?.close();
    },
  };
}

/** Maximum size of the `MSGSITE_STATUS_MAP` file, in bytes. */
const maxStatusMapBytes = 1024 * 1024;

/** Reads the meanings of additional statuses from the configured file, if any. Called only at startup. */
function readStatuses({ statusMap: file, qrFailedStatuses: qrFailed }: Config) {
  if (file === undefined) return undefined;
  const hint = 'Make it readable by this user, or unset MSGSITE_STATUS_MAP.';
  const text = readInputFile(file, { maxBytes: maxStatusMapBytes, hint }).toString('utf8');
  return parseStatusMap({ file, text, qrFailed });
}

/**
 * Ends the pending actions of dead processes, or marks them as in doubt, so that lists of actions are complete. If
 * there are no such actions, opens and creates nothing. If the folder is read-only, the actions are listed unchanged.
 */
export async function recoverActs(
  storage: ReadStorage,
  { log }: Pick<StorageOptions, 'log'>,
): Promise<void> {
  try {
    if (!(await (await storage.audit()).hasAbandoned())) return;
    const shared = await storage.forChanges();
    const orders = openOrdersOnce({ storage: shared });
    try {
      const { payments, intents, refunds } = await shared.payments();
      const { clock, rateLimiter } = shared;
      const follower = followReferences(createFollower({ store: orders.open, clock, rateLimiter }));
      const stores = { payments, intents, refunds };
      const audit = await shared.audit();
      await audit.recover(createRecovered({ stores, clock, follower }));
    } finally {
      await orders.close();
      await shared.close();
    }
  } catch (err) {
    log.warn({ err }, 'The pending actions of dead processes could not be recovered.');
  }
}
