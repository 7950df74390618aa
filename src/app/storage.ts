import type { AuditReader, AuditStore } from '../audit/store.js';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import type { RateLimiter } from '../base/rate-limit.js';
import type { StateName, StateRecords, StateStore } from '../base/state.js';
import type { Config } from '../config/config.js';
import type { DeliveryCounts, DeliveryStore } from '../events/store.js';
import type { ImageStore } from '../images/store.js';
import type { MessagingStore } from '../messaging/store.js';
import type { OrderStore } from '../orders/store.js';
import type { SandboxStore } from '../payments/providers/sandbox/store-json/open.js';
import type { PaymentCounts, PaymentStores, ReadPaymentStores } from '../payments/store.js';

import type { SiteStore } from '../site/store.js';
import type { Secrets } from '../storage/json/data-folder/secrets.js';
import type { Opener } from './data-folder.js';

/** The storage for a command that only reads. Nothing is created, cleaned up or changed. */
export interface ReadStorage {
  /** The clock for stored times and the running time. */
  readonly clock: Clock;
  /** See `MoneyClock`. Only `serve` deletes money records. */
  readonly deletionTime: MoneyClock['deletionTime'];
  /** Returns the store of facts about the deployment. All callers share it. It is closed with the storage. */
  state(): Promise<StateStore>;
  payments(): Promise<ReadPaymentStores>;
  deliveries(): Promise<DeliveryStore>;
  /** Returns the audit log of actions on money and people. */
  audit(): Promise<AuditReader>;
  /**
   * Opens the same storage for changes, alongside other processes. The caller closes it. Fails in the same cases as
   * `share`.
   */
  forChanges(): Promise<SharedStorage>;
  /** Releases all claims and closes all stores. Call it after the features have been closed. */
  close(): Promise<void>;
}

/** The storage for a command that runs alongside any number of `serve` processes. Stores are opened on demand. */
export interface SharedStorage extends ReadStorage {
  payments(): Promise<PaymentStores>;
  /** Opens the orders and the stock. The caller closes them. */
  orders(): Promise<OrderStore>;
  /** Returns a store that all callers share. It is closed with the storage. */
  audit(): Promise<AuditStore>;
  /** Opens the state of the sandbox provider, which is always stored in files. */
  sandbox(): Promise<SandboxStore>;
  /**
   * Returns the configured secrets. By default, these are the ones in the data folder, which are generated on first
   * use.
   */
  secrets(): Promise<Secrets>;
  /** With JSON files, limits apply to each process separately. */
  readonly rateLimiter: RateLimiter;
}

/** The storage for a command that manages accounts or the site. */
export interface ManagedStorage extends SharedStorage {
  messaging(): Promise<MessagingStore>;
  /** Opens the site. `isNew` is true only for the server that may fill it with initial content. */
  site(): Promise<{ readonly store: SiteStore; readonly isNew: boolean }>;
}

/** Counts of stored records, across all processes. */
export interface StoredCounts {
  readonly payments: PaymentCounts;
  readonly deliveries: DeliveryCounts;
  readonly facts: FactCounts;
}

/** The storage for `serve`. */
export interface ServedStorage extends ManagedStorage {
  /**
   * Returns a function that counts stored records. Its cost does not depend on their number. Calls must not overlap.
   */
  counter(): () => Promise<StoredCounts>;
  /** Tests whether the storage can be used by writing to it. Rejects if it cannot. Calls must not overlap. */
  probe(): Promise<void>;
  /** Opens the site's pictures. The caller closes them. */
  images(): Promise<ImageStore>;
}

/**
 * The purpose of opening a storage. `share` and `read` allow other processes. With files, `serve` and `manage` exclude
 * each other, because a server has the accounts in memory.
 */
export type StoragePurpose = 'serve' | 'manage' | 'share' | 'read';

export interface ManagedPart {
  readonly what: string;
  readonly section: string;
}

export interface StorageOptions extends Opener {
  readonly config: Config;
  readonly log: Logger;
  /** The managed data that a server has in memory, and the section of its admin page. */
  readonly managed?: ManagedPart | undefined;
  /** Called for each failed storage operation of a server. */
  readonly onFailure?: (() => void) | undefined;
}

/** Counts of stored facts for the metrics. */
interface FactCounts {
  /** Number of times that the wall clock has jumped. */
  readonly clockJumps: number;
  /** Number of days that have not been compared with the provider, for the organization with the most such days. */
  readonly daysBehind: number;
}

/** Counts stored facts. A damaged fact, which `data check` reports, is treated as missing. */
export async function countFacts(state: Pick<StateStore, 'find'>): Promise<FactCounts> {
  async function find<Name extends StateName>(name: Name): Promise<StateRecords[Name] | undefined> {
    try {
      return await state.find(name);
    } catch (error) {
      if (error instanceof AppError && error.code === 'data_damaged') return undefined;
      throw error;
    }
  }
  const clock = await find('clock');
  const reconciliation = await find('reconciliation');
  return {
    clockJumps: clock?.jumps ?? 0,
    daysBehind: Math.max(0, ...Object.values(reconciliation?.behind ?? {})),
  };
}
