import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { Logger } from '../base/log.js';
import type { Config } from '../config/config.js';
import type { GatewayClient } from '../payments/client/gateway-client.js';
import { createInProcessClient } from '../payments/client/in-process-client.js';
import { type GatewayServices, openGatewayServices } from './gateway-services.js';
import { openStorage } from './open-storage.js';
import type { ReadStorage } from './storage.js';

export interface GatewayClientOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** For `env:NAME` secrets of webhooks. */
  readonly environment: Environment;
  readonly log: Logger;
}

/** What is open, and lets go of its storage with itself. */
interface Opened<Part> {
  readonly part: Part;
  close(): Promise<void>;
}

/**
 * The gateway on the data folder or the database of the settings. Nothing is opened before it is asked for: lists
 * alone open the data for reading, and make no folder.
 */
export function openGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { config } = options;
  const services = once(() => openServices(options));
  const lists = once(() => openLists(options));
  return createInProcessClient({
    payments: async () => (await services.get()).payments,
    lists: async () => {
      const { payments, refunds, intents } = await lists.get();
      return { payments, refunds, intents, isWatched: () => payments.isWatched() };
    },
    zone: config.providerZone,
    async sendWebhooks({ organizationId, type, paymentId }, signal) {
      const { webhooks } = await services.get();
      const payment = { organizationId, type, paymentId };
      const reports = await webhooks.sendFirstAttempts(payment, signal);
      return reports.map(({ delivery, attempt }) => ({
        url: delivery.subscription.url,
        error: attempt.error,
      }));
    },
    now: () => options.clock.now(),
    async close() {
      await services.close();
      await lists.close();
    },
  });
}

async function openServices(options: GatewayClientOptions): Promise<Opened<GatewayServices>> {
  const storage = await openStorage('share', { ...options, label: 'pay' });
  return closedWith(storage, async () => {
    const services = await openGatewayServices({ ...options, storage });
    return { part: services, close: services.close };
  });
}

async function openLists(options: GatewayClientOptions) {
  const storage = await openStorage('read', { ...options, label: 'pay' });
  return closedWith(storage, async () => ({
    part: await storage.payments(),
    close: async () => {},
  }));
}

/** What is opened on a storage, which is closed after it, and at once where the opening fails. */
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

/** Opened by the first who asks; where that fails, the next one tries again. */
function once<Part>(open: () => Promise<Opened<Part>>) {
  let opening: Promise<Opened<Part>> | undefined;
  return {
    async get(): Promise<Part> {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return (await opening).part;
    },
    async close(): Promise<void> {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
