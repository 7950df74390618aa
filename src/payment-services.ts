import type { GatewayStores } from './backend/backend.js';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import type { Environment } from './environment.js';
import type { Logger } from './log.js';
import { openPayments, type Payments } from './payments/payments.js';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.js';

export interface PaymentServicesOptions {
  readonly config: Config;
  /** One key or several with commas between; see secrets.ts. */
  readonly gatewayKey: string;
  /** For `env:NAME` secrets of webhooks. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where everything is kept; JSON files in the data folder where absent. */
  readonly stores?: GatewayStores | undefined;
  /** Who works here, for people who look at the files: `serve`, `pay`. */
  readonly label: string;
}

/** Payments and the webhooks that tell of their ends, on one data directory. */
export interface PaymentServices {
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  close(): Promise<void>;
}

/**
 * Puts payments and webhooks together, for `serve` and the command line alike. Payments tell of their
 * outcomes through a function handed in: they do not know of webhooks. Nothing is watched or sent
 * until it is started.
 */
export async function openPaymentServices(
  options: PaymentServicesOptions,
): Promise<PaymentServices> {
  const { config, environment, clock, log, label, gatewayKey, stores } = options;
  const webhooks = await createWebhooks({
    data: config.data,
    file: config.webhooks,
    environment,
    delays: config.webhookDelays,
    timeoutMs: config.webhookTimeout,
    privateAddresses: config.webhookPrivate,
    retentionMs: config.webhookRetention * 1000,
    droppedRetentionMs: config.webhookDroppedRetention * 1000,
    clock,
    log,
    label,
    ...(stores ? { store: stores.deliveries } : {}),
  });
  const payments = await openPayments({
    ...config,
    stores: stores?.payments,
    gatewayKey,
    zone: config.providerZone,
    announce: (event) => webhooks.announce(event),
    retention: config.paymentRetention * 1000,
    findUndelivered: (payments) => webhooks.undeliveredOf(payments),
    clock,
    log,
  });
  return {
    payments,
    webhooks,
    async close() {
      await payments.close();
      await webhooks.stop();
    },
  };
}
