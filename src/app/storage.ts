import type { AuditReader, AuditStore } from '../audit/store.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import type { RateLimiter } from '../base/rate-limit.js';
import type { Config } from '../config/config.js';
import type { MessagingStore } from '../messaging/store.js';
import type { SandboxStore } from '../payments/providers/sandbox/store-json/open.js';
import type { PaymentStores, ReadPaymentStores } from '../payments/store.js';
import type { SiteStore } from '../site/store.js';
import type { Secrets } from '../storage/json/data-folder/secrets.js';
import type { DeliveryStore } from '../webhooks/store.js';
import type { Opener } from './data-folder.js';

/** What a command that only looks is given: nothing is made, tidied or changed. */
export interface ReadStorage {
  /** The time that counts for what is stored. */
  readonly clock: Clock;
  payments(): Promise<ReadPaymentStores>;
  deliveries(): Promise<DeliveryStore>;
  /** What was done with money and by people. */
  audit(): Promise<AuditReader>;
  /** Gives back every claim and lets go of everything; the features are closed by then. */
  close(): Promise<void>;
}

/** What a command that works beside any number of `serve` is given. Stores are opened when asked for. */
export interface SharedStorage extends ReadStorage {
  payments(): Promise<PaymentStores>;
  /** One for all who ask; it is closed with the storage. */
  audit(): Promise<AuditStore>;
  /** What the sandbox provider keeps, in files whichever storage the rest is in. */
  sandbox(): Promise<SandboxStore>;
  /** Of the settings, else of the data folder, which has them made. */
  secrets(): Promise<Secrets>;
}

/** What `serve` is given. */
export interface ServedStorage extends SharedStorage {
  readonly rateLimiter: RateLimiter;
  /** `isNew` is true for the one who may fill the site with content to start with. */
  site(): Promise<{ readonly store: SiteStore; readonly isNew: boolean }>;
  messaging(): Promise<MessagingStore>;
}

/** What a storage is opened for. `share` and `read` work beside others; a `serve` on files does not. */
export type StoragePurpose = 'serve' | 'share' | 'read';

export interface StorageOptions extends Opener {
  readonly config: Config;
  readonly log: Logger;
}
