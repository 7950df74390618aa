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

/** What a command that only looks is given: nothing is made, tidied or changed. */
export interface ReadStorage {
  /** The clock for stored times, which also gives the running time. */
  readonly clock: Clock;
  /** See `MoneyClock`: the time by which `serve`, which alone deletes money records, may delete them. */
  readonly deletionTime: MoneyClock['deletionTime'];
  /** Facts about the deployment; one store for all callers, closed with the storage. */
  state(): Promise<StateStore>;
  payments(): Promise<ReadPaymentStores>;
  deliveries(): Promise<DeliveryStore>;
  /** What was done with money and by people. */
  audit(): Promise<AuditReader>;
  /** Opens the same storage for changes, beside other processes. The caller closes it. Fails whenever `share` fails. */
  forChanges(): Promise<SharedStorage>;
  /** Gives back every claim and lets go of everything; the features are closed by then. */
  close(): Promise<void>;
}

/** What a command that works beside any number of `serve` is given. Stores are opened when asked for. */
export interface SharedStorage extends ReadStorage {
  payments(): Promise<PaymentStores>;
  /** What visitors have ordered, and the stock; closed by who asked for it. */
  orders(): Promise<OrderStore>;
  /** One for all who ask; it is closed with the storage. */
  audit(): Promise<AuditStore>;
  /** What the sandbox provider keeps, in files whichever storage the rest is in. */
  sandbox(): Promise<SandboxStore>;
  /** Of the settings, else of the data folder, which has them made. */
  secrets(): Promise<Secrets>;
  /** Counts only in this process if the storage is files. */
  readonly rateLimiter: RateLimiter;
}

/** What a command is given that looks after accounts or the site. */
export interface ManagedStorage extends SharedStorage {
  messaging(): Promise<MessagingStore>;
  /** `isNew` is true for the server that may fill the site with content to start with. */
  site(): Promise<{ readonly store: SiteStore; readonly isNew: boolean }>;
}

/** What is stored, by all processes together. */
export interface StoredCounts {
  readonly payments: PaymentCounts;
  readonly deliveries: DeliveryCounts;
  readonly facts: FactCounts;
}

/** What `serve` is given. */
export interface ServedStorage extends ManagedStorage {
  /** Gives what counts what is stored: it costs little however much that is. Called by one at a time. */
  counter(): () => Promise<StoredCounts>;
  /** Finds out by writing whether the storage can be used; rejects where it cannot. Called by one at a time. */
  probe(): Promise<void>;
  /** The site's pictures; closed by who asks for them. */
  images(): Promise<ImageStore>;
}

/**
 * What a storage is opened for. `share` and `read` work beside others; on files `serve` and `manage` do not work
 * beside each other, as a server holds the accounts in memory.
 */
export type StoragePurpose = 'serve' | 'manage' | 'share' | 'read';

export interface ManagedPart {
  readonly what: string;
  readonly section: string;
}

export interface StorageOptions extends Opener {
  readonly config: Config;
  readonly log: Logger;
  /** What a server holds in memory that is to be managed, and the section of its admin page that does the same. */
  readonly managed?: ManagedPart | undefined;
  /** Told of every operation of a server on the storage that failed. */
  readonly onFailure?: (() => void) | undefined;
}

/** Counts of stored facts for the metrics. */
interface FactCounts {
  /** Number of times that the wall clock has jumped. */
  readonly clockJumps: number;
  /** Days still to be compared with the provider, for the organization with the most such days. */
  readonly daysBehind: number;
}

/** Counts stored facts. A damaged fact, which `data check` reports, counts as missing. */
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
