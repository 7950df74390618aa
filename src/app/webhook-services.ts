import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { Logger } from '../base/log.js';
import type { Config } from '../config/config.js';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.js';
import type { GatewayStores } from './storage/backend.js';

export interface WebhookServiceOptions {
  readonly config: Config;
  /** For `env:NAME` secrets of webhooks. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where everything is kept; JSON files in the data folder where absent. */
  readonly stores?: GatewayStores | undefined;
  /** Who works here, for people who look at the files: `serve`, `pay`. */
  readonly label: string;
}

/** The webhooks as the settings have them. Nothing is sent until they are started. */
export function openWebhookServices(options: WebhookServiceOptions): Promise<Webhooks> {
  const { config, environment, clock, log, label, stores } = options;
  return createWebhooks({
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
}
