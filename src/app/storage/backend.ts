import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import type { MessagingStore } from '../../messaging/store.js';
import type { PaymentStores } from '../../payments/store.js';
import type { SiteStore } from '../../site/store.js';
import type { DeliveryStore } from '../../webhooks/store.js';

/** Where everything is kept: JSON files of one process, or a database that several share. */
export interface Backend {
  /** The time that counts for what is stored. */
  readonly clock: Clock;
  readonly rateLimiter: RateLimiter;
  /** `isNew` is true for the one who may fill the site with content to start with. */
  openSite(): Promise<{ readonly store: SiteStore; readonly isNew: boolean }>;
  openMessaging(): Promise<MessagingStore>;
  /** Absent where payments and webhooks keep their own files in the data folder. */
  readonly gateway?: GatewayStores;
  /** Lets go of everything; the features are closed by then. */
  close(): Promise<void>;
}

/** What payments and webhooks are kept in. */
export interface GatewayStores {
  readonly payments: PaymentStores;
  readonly deliveries: DeliveryStore;
}

export interface GatewayStorageOptions {
  /** Address of the database; JSON files in the data folder where absent. */
  readonly database: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Who works here, for people who look into the database: `pay`, `webhooks replay`. */
  readonly label: string;
  /** Where it is given, it must be the one that every process of the database uses. */
  readonly gatewayKey?: string;
}

/** What payments and webhooks are kept in, for a command that may run beside any number of `serve`. */
export interface GatewayStorage {
  /** The time that counts for what is stored. */
  readonly clock: Clock;
  /** Absent where payments and webhooks keep their own files in the data folder. */
  readonly stores?: GatewayStores;
  /** Gives back every claim and lets go of the database. */
  close(): Promise<void>;
}
