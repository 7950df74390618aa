import { join, sep } from 'node:path';
import { type AuditStore, removeOldLines } from '../audit/store.js';
import { findLanes } from '../audit/store-json/lane-files.js';
import {
  createJsonAuditReader,
  type JsonAuditOptions,
  openJsonAuditStore,
} from '../audit/store-json/open.js';
import { AppError } from '../base/errors.js';
import { startEvery } from '../base/every.js';
import { systemFiles } from '../base/files/file-layer.js';
import { type DiskFailure, diskFailures } from '../base/files/storage-errors.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import { openMoneyClock } from '../base/money-clock.js';
import { createRateLimiter, unlimited } from '../base/rate-limit.js';
import { addressOfSite } from '../config/config.js';
import { createJsonDeliveryCounter, createJsonDeliveryStore } from '../events/store-json/open.js';
import { openJsonImageStore } from '../images/store-json/image-store.js';
import { openJsonMessagingStore } from '../messaging/store-json/open.js';
import { openJsonOrderStore } from '../orders/store-json/open.js';
import {
  createJsonPaymentCounter,
  openJsonPaymentStores,
  readJsonPaymentStores,
} from '../payments/store-json/open.js';
import { readOrganizations } from '../payments/store-json/organizations.js';
import { openJsonSiteStore } from '../site/store-json/open.js';
import type { Finding } from '../storage/json/check/data-checker.js';
import { createDiskProbe } from '../storage/json/data-folder/data-folder.js';
import { loadSecrets } from '../storage/json/data-folder/secrets.js';
import { readDataLock } from '../storage/json/ownership/lease.js';
import { openJsonStateStore } from '../storage/json/state-store.js';
import { openDataFolder, openSandbox } from './data-folder.js';
import type {
  ManagedPart,
  ManagedStorage,
  ReadStorage,
  ServedStorage,
  SharedStorage,
  StorageOptions,
  StoragePurpose,
} from './storage.js';
import { countFacts } from './storage.js';

/**
 * Opens the storage that the settings specify, in files or in a database. Throws like `openDataFolder`. Only `serve`
 * migrates a database. Other commands reject a database with an older or newer structure.
 */
export function openStorage(purpose: 'serve', options: StorageOptions): Promise<ServedStorage>;
export function openStorage(purpose: 'manage', options: StorageOptions): Promise<ManagedStorage>;
export function openStorage(purpose: 'share', options: StorageOptions): Promise<SharedStorage>;
export function openStorage(purpose: 'read', options: StorageOptions): Promise<ReadStorage>;
export async function openStorage(
  purpose: StoragePurpose,
  options: StorageOptions,
): Promise<ServedStorage | ReadStorage> {
  const { config, managed } = options;
  try {
    if (config.database === undefined) return await openJsonStorage(purpose, options);
    // Loaded only if a database is used.
    const { openPostgresStorage } = await import('./postgres.js');
    return await openPostgresStorage(config.database, purpose, options);
  } catch (error) {
    if (!managed || !(error instanceof AppError) || error.code !== 'data_in_use') throw error;
    throw await managedElsewhere(error, config, managed);
  }
}

/** The label of a server in the lock of its data folder. */
const served = 'msgsite serve';

/**
 * Returns the error for a command that manages data that a server has in memory. Its hint states what to do instead.
 */
async function managedElsewhere(
  cause: AppError,
  config: StorageOptions['config'],
  { what, section }: ManagedPart,
): Promise<AppError> {
  const holder = await readDataLock(config.data);
  const isServed = holder === undefined || holder.label === served;
  const hint = isServed
    ? `A running server has ${what} in memory. Use its admin page (with these settings, ${addressOfSite(config)}/admin.html#${section}), or stop the server and run this command again.`
    : 'Wait until that command has ended, or stop it.';
  return new AppError('data_in_use', cause.message, { hint, cause });
}

/** Time between two removals of old deleted content, in milliseconds. */
const sweepEvery = 86_400_000;

/** Opens JSON files in the data folder. Returns a `ServedStorage` unless the purpose is `read`. */
async function openJsonStorage(
  purpose: StoragePurpose,
  options: StorageOptions,
): Promise<ServedStorage | ReadStorage> {
  const { config, log, label } = options;
  const { data } = config;
  const { isNew, close } = await openDataFolder(data, purpose, options);
  const { state, moneyClock } = await openState(purpose, options).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { clock, deletionTime } = moneyClock;
  const payments = {
    folder: join(data, 'payments'),
    clock,
    label,
    onDamaged: (err: unknown) => log.error({ err }, 'A payment cannot be read.'),
  };
  const orders = {
    folder: join(data, 'orders'),
    clock,
    label,
    onDamaged: (err: unknown) => log.error({ err }, 'An order cannot be read.'),
  };
  const deliveries = { folder: join(data, 'webhooks'), clock, label };
  const onDamage = ({ file, line, message, advice }: Finding) =>
    log.error({ file, line, advice }, message);
  const audited = {
    folder: join(data, 'audit'),
    clock,
    label,
    onDamage({ severity, file, line, message, advice }: Finding) {
      if (severity === 'note') return;
      log.error({ file, line, advice }, `${file}, line ${line ?? 1}: ${message}`);
    },
  };
  if (purpose === 'read') {
    return {
      ...{ clock, deletionTime },
      state: async () => state,
      payments: () => readJsonPaymentStores(payments),
      deliveries: () => createJsonDeliveryStore({ ...deliveries, readOnly: true }),
      audit: async () => createJsonAuditReader(audited),
      forChanges: () => openStorage('share', options),
      close,
    };
  }
  const stopCounting = onDiskFailure(data, options.onFailure);
  let sweeping: { stop(): Promise<void> } | undefined;
  const onError = (err: unknown) =>
    log.warn({ err }, 'Old deleted content of the site could not be removed.');
  const tidies = purpose === 'serve';
  const audit = openJsonAudit({ ...audited, log, deletionTime, tidies });
  return {
    ...{ clock, deletionTime },
    rateLimiter: config.rateLimit ? createRateLimiter(clock) : unlimited,
    probe: createDiskProbe(data),
    counter() {
      const countPayments = createJsonPaymentCounter(payments.folder);
      const countDeliveries = createJsonDeliveryCounter(deliveries.folder);
      return async () => ({
        payments: await countPayments(),
        deliveries: await countDeliveries(),
        facts: await countFacts(state),
      });
    },
    state: async () => state,
    secrets: () => loadSecrets(data, config),
    async site() {
      const keepDeletedMs = config.keepDeleted * 1000;
      const path = join(data, 'site.jsonl');
      const store = await openJsonSiteStore({ path, clock, keepDeletedMs, onDamage });
      if (purpose === 'serve') sweeping = startEvery(sweepEvery, store.sweep, { clock, onError });
      return { store, isNew };
    },
    async images() {
      return openJsonImageStore({ data, now: () => clock.now(), onDamage });
    },
    async messaging() {
      return openJsonMessagingStore({
        folder: join(data, 'messaging'),
        clock,
        onDamage,
        onBackgroundFailure: (err) =>
          log.error({ err }, 'Background work on the message files failed.'),
      });
    },
    payments: () => openJsonPaymentStores(payments),
    orders: () => openJsonOrderStore(orders),
    deliveries: () => createJsonDeliveryStore(deliveries),
    audit: async () => audit.store,
    forChanges: () => openStorage('share', options),
    sandbox: () => openSandbox(config, options),
    async close() {
      try {
        await Promise.all([sweeping?.stop(), audit.close(), moneyClock.stop()]);
        await state.close();
      } finally {
        stopCounting();
        await close();
      }
    },
  };
}

/** Opens the facts of a data folder, including the running time. */
async function openState(purpose: StoragePurpose, { config, clock, log, label }: StorageOptions) {
  const { data } = config;
  const readOnly = purpose === 'read';
  const state = await openJsonStateStore({ folder: join(data, 'state'), clock, label, readOnly });
  const audit = { folder: join(data, 'audit'), files: systemFiles };
  const hasMoney = async () =>
    (await findLanes(audit)).length > 0 ||
    (await readOrganizations(join(data, 'payments'))).length > 0;
  const moneyClock = await openMoneyClock({ state, clock, log, hasMoney });
  if (purpose === 'serve') await moneyClock.start();
  return { state, moneyClock };
}

/** Calls `listener` whenever an access to a file in the folder fails. Returns a function that stops these calls. */
function onDiskFailure(folder: string, listener: (() => void) | undefined): () => void {
  if (!listener) return () => {};
  const count = (message: unknown) => {
    const { path } = message as DiskFailure; // All messages of the channel have this type.
    if (path === folder || path.startsWith(folder + sep)) listener();
  };
  diskFailures.subscribe(count);
  return () => void diskFailures.unsubscribe(count);
}

interface JsonAudit extends JsonAuditOptions {
  readonly log: Logger;
  /** True to remove old entries. */
  readonly tidies: boolean;
  readonly deletionTime: MoneyClock['deletionTime'];
}

/** Time between two removals of old entries, in milliseconds. */
const tidyEvery = 6 * 3_600_000;

/** Opens the audit log in files, which are created when the first action is stored. */
function openJsonAudit({ log, tidies, deletionTime, ...options }: JsonAudit): {
  readonly store: AuditStore;
  close(): Promise<void>;
} {
  const { clock } = options;
  const store = openJsonAuditStore({
    ...options,
    onBackgroundFailure: (err) =>
      log.error({ err }, 'Background work on the audit log failed; retrying.'),
  });
  const tidy = () => removeOldLines(store, deletionTime);
  const onError = (err: unknown) =>
    log.warn({ err }, 'Old entries of the audit log could not be removed; retrying.');
  const tidying = tidies ? startEvery(tidyEvery, tidy, { clock, onError }) : undefined;
  return {
    store,
    async close() {
      await tidying?.stop();
      await store.close();
    },
  };
}
