import { openPayments, type Payments } from '../payments/payments.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { openWebhookServices, type WebhookServiceOptions } from './webhook-services.js';

export interface PaymentServicesOptions extends WebhookServiceOptions {
  /** One key or several with commas between; see secrets.ts. */
  readonly gatewayKey: string;
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
  const { config, clock, log, gatewayKey, stores } = options;
  const webhooks = await openWebhookServices(options);
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
