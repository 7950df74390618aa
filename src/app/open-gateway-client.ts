import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { Logger } from '../base/log.js';
import { lazy } from '../base/single-flight.js';
import type { Config } from '../config/config.js';
import type { GatewayClient } from '../payments/client/gateway-client.js';
import { createInProcessClient } from '../payments/client/in-process-client.js';
import { type Intent, intentsUnderWay, isKeyTaken } from '../payments/intents/intent.js';
import type { Payments } from '../payments/payments.js';
import { type GatewayServices, openGatewayServices, recoverActs } from './gateway-services.js';
import { openStorage } from './open-storage.js';
import type { ReadStorage } from './storage.js';

export interface GatewayClientOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** The environment from which webhook secrets in the form `env:NAME` are read. */
  readonly environment: Environment;
  readonly log: Logger;
  /** True if only lists are required. The data is then opened for reading, and no folder is created. */
  readonly listsOnly?: boolean | undefined;
}

/** An open part. Closing it also closes its storage. */
interface Opened<Part> {
  readonly part: Part;
  close(): Promise<void>;
}

/** Opens the gateway with the data folder or database from the settings. */
export async function openGatewayClient(options: GatewayClientOptions): Promise<GatewayClient> {
  const { config, listsOnly = false } = options;
  const services = lazy(() => openServices(options));
  const lists = lazy(() => openLists(options));
  await (listsOnly ? lists.get() : services.get());
  return createInProcessClient({
    payments: async () => (await services.get()).part.payments,
    lists: async () =>
      listsOnly ? (await lists.get()).part : listsOf((await services.get()).part.payments),
    zone: config.providerZone,
    async sendWebhooks({ organizationId, type, paymentId }, signal) {
      const { webhooks } = (await services.get()).part;
      const payment = { organizationId, type, paymentId };
      const reports = await webhooks.sendFirstAttempts(payment, signal);
      return reports.map(({ delivery, attempt }) => ({
        url: delivery.subscription.url,
        error: attempt.error,
      }));
    },
    now: () => options.clock.now(),
    async close() {
      await (await services.made())?.close();
      await (await lists.made())?.close();
    },
  });
}

async function openServices(options: GatewayClientOptions): Promise<Opened<GatewayServices>> {
  const storage = await openStorage('share', { ...options, label: 'pay' });
  return closedWith(storage, async () => {
    const services = await openGatewayServices({ ...options, storage });
    await services.payments.resolver.recover();
    return { part: services, close: services.close };
  });
}

async function openLists(options: GatewayClientOptions) {
  const storage = await openStorage('read', { ...options, label: 'pay' });
  return closedWith(storage, async () => {
    await recoverActs(storage, options);
    const { payments, refunds, intents } = await storage.payments();
    const audit = await storage.audit();
    const part = {
      ...{ payments, refunds, intents },
      underWay: () => intentsUnderWay(audit),
      isKeyTaken: (intent: Intent) => isKeyTaken(intent, storage.clock),
    };
    return { part, close: async () => {} };
  });
}

function listsOf(payments: Payments) {
  const { listPayments: list, refunds, intents, underWay, isWatched, isKeyTaken } = payments;
  return { payments: { list, isWatched }, refunds, intents, underWay, isKeyTaken };
}

/**
 * Opens a part that uses a storage. The storage is closed after the part, or immediately if the part cannot be opened.
 */
async function closedWith<Part>(
  storage: Pick<ReadStorage, 'close'>,
  open: () => Promise<Opened<Part>>,
): Promise<Opened<Part>> {
  try {
    const { part, close } = await open();
    return {
      part,
      async close() {
        try {
          await close();
        } finally {
          await storage.close();
        }
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
