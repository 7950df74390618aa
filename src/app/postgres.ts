import { removeOldLines } from '../audit/store.js';
import {
  createPostgresAuditStore,
  hasPostgresAudit,
  postgresAuditRecords,
} from '../audit/store-postgres/open.js';
import { openMoneyClock } from '../base/money-clock.js';
import { unlimited } from '../base/rate-limit.js';
import {
  countPostgresDeliveries,
  createPostgresDeliveryStore,
} from '../events/store-postgres/open.js';
import { postgresDeliveryRecords } from '../events/store-postgres/transfer.js';
import {
  createPostgresImageStore,
  postgresImageRecords,
} from '../images/store-postgres/image-store.js';
import {
  createPostgresMessagingStore,
  expiringMessagingTables,
  sweepRemovedChats,
} from '../messaging/store-postgres/open.js';

import { postgresMessagingRecords } from '../messaging/store-postgres/transfer.js';
import { createPostgresOrderStore } from '../orders/store-postgres/open.js';
import { postgresOrderRecords } from '../orders/store-postgres/transfer.js';
import {
  countPostgresPayments,
  createPostgresPaymentStores,
  expiringPaymentTables,
  hasPostgresPayments,
} from '../payments/store-postgres/open.js';
import { watcherLabel } from '../payments/store-postgres/payment-claims.js';
import { postgresPaymentRecords } from '../payments/store-postgres/transfer.js';
import {
  createPostgresSiteStore,
  expiringSiteTables,
  type PostgresSiteStore,
} from '../site/store-postgres/open.js';
import { postgresSiteRecords } from '../site/store-postgres/transfer.js';
import { loadSecrets } from '../storage/json/data-folder/secrets.js';
import { followDatabaseClock, openDatabase, probeDatabase } from '../storage/postgres/database.js';
import { type DatabaseShare, shareDatabase } from '../storage/postgres/database-lock.js';
import { assertStructure, migrate, startError } from '../storage/postgres/migrations.js';
import { createSharedRateLimiter } from '../storage/postgres/rate-limiter.js';
import type { PostgresRecords } from '../storage/postgres/record-table.js';
import { checkGatewayKey, checkSecrets } from '../storage/postgres/secret-check.js';
import { createPostgresStateStore, postgresStateRecords } from '../storage/postgres/state-store.js';
import { startSweeper } from '../storage/postgres/sweep.js';
import { createWorker, keepLease } from '../storage/postgres/worker.js';
import { openDataFolder, openSandbox } from './data-folder.js';
import { readDatabaseSchema } from './database-schema.js';
import type { ServedStorage, StorageOptions, StoragePurpose } from './storage.js';
import { countFacts } from './storage.js';

// All code for databases is loaded together, and only if one is used.
export { openDatabaseSource, openDatabaseTarget } from '../transfer/database-place.js';

/** Maximum number of database connections of a command. The watcher and webhooks of `serve` need more. */
const connections = 4;

/**
 * Opens a PostgreSQL database, which `serve` migrates to the structure of this version. The data folder contains only
 * generated secrets and the sandbox's state, and is not accessed until they are needed.
 */
export async function openPostgresStorage(
  url: string,
  purpose: StoragePurpose,
  options: StorageOptions,
): Promise<ServedStorage> {
  const { config, clock: local, log, label } = options;
  const isServe = purpose === 'serve';
  const openFolder = () => openDataFolder(config.data, 'alongside', options);
  const secrets = async () => {
    await openFolder();
    return loadSecrets(config.data, config);
  };
  const schema = await readDatabaseSchema();
  if (isServe) {
    await openFolder();
    const { applied } = await migrate(url, schema);
    if (applied.length > 0) log.info({ applied }, 'The structure of the database was migrated.');
  }
  let share: DatabaseShare | undefined;
  const database = openDatabase({
    url,
    log,
    clock: local,
    isPipelined: config.databasePipeline,
    onUnavailable: options.onFailure,
    ...(isServe ? { assertAllowed: () => share?.assert() } : { connections }),
  });
  try {
    if (!isServe) await assertStructure(database, schema);
    share = await shareDatabase(url, `msgsite ${label}`, local);
    if (isServe) await checkSecrets(database, await secrets());
    const databaseClock = await followDatabaseClock(database, local);
    const state = createPostgresStateStore(database);
    const moneyClock = await openMoneyClock({
      ...{ state, clock: databaseClock, log },
      hasMoney: async () =>
        (await hasPostgresPayments(database)) || (await hasPostgresAudit(database)),
    });
    const { clock, deletionTime } = moneyClock;
    if (isServe) await moneyClock.start();
    const deleted = { keepDeletedMs: config.keepDeleted * 1000 };
    const tables = [
      ...expiringSiteTables(deleted),
      ...expiringMessagingTables,
      ...expiringPaymentTables,
    ];
    // The watcher and the webhooks of `serve` each renew their own lease.
    const shared = isServe ? undefined : keepLease(createWorker(database, label), local);
    const auditWorker = shared ?? keepLease(createWorker(database, 'audit'), local);
    const audit = createPostgresAuditStore(database, auditWorker);
    const sweeps = [sweepRemovedChats, () => removeOldLines(audit, deletionTime)];
    const sweeper = isServe ? startSweeper({ database, clock, log, tables, sweeps }) : undefined;
    let site: PostgresSiteStore | undefined;
    const storage: ServedStorage = {
      ...{ clock, deletionTime },
      state: async () => state,
      // Writing is possible even if the database was opened for reading.
      forChanges: async () => ({ ...storage, close: async () => {} }),
      probe: () => probeDatabase(database),
      counter: () => async () => ({
        payments: await countPostgresPayments(database),
        deliveries: await countPostgresDeliveries(database),
        facts: await countFacts(state),
      }),
      rateLimiter: config.rateLimit ? createSharedRateLimiter(database) : unlimited,
      secrets,
      async site() {
        site = createPostgresSiteStore(database, clock, deleted);
        return { store: site, isNew: isServe && (await site.claimEmpty()) };
      },
      images: async () => createPostgresImageStore(database),
      messaging: async () => createPostgresMessagingStore(database, clock),
      async payments() {
        // A reader does not generate a key, but a key in the settings must match.
        const key = purpose === 'share' ? (await secrets()).gatewayKey : config.gatewayKey;
        if (!isServe && key !== undefined) await checkGatewayKey(database, key);
        const worker = shared ?? createWorker(database, watcherLabel);
        return createPostgresPaymentStores(database, worker, clock);
      },
      orders: async () => createPostgresOrderStore(database, clock),
      deliveries: async () =>
        createPostgresDeliveryStore(database, shared ?? createWorker(database, 'webhooks')),
      audit: async () => audit,
      sandbox: () => openSandbox(config, { clock, label }),
      async close() {
        await audit.close();
        await shared?.leave();
        // Closed together, because work that waits for an unavailable database ends when its connections are closed.
        await Promise.all([
          ...[sweeper?.stop(), moneyClock.stop(), databaseClock.close(), site?.close()],
          database.close(),
        ]);
        await share?.release();
      },
    };
    return storage;
  } catch (error) {
    await database.close();
    await share?.release();
    throw startError(error, url);
  }
}

/** Returns all records of a database except those that have expired at `now`, in milliseconds since the epoch. */
export function databaseRecords(now: number): readonly PostgresRecords[] {
  return [
    postgresStateRecords,
    ...postgresSiteRecords,
    postgresImageRecords,
    ...postgresOrderRecords,
    ...postgresMessagingRecords(now),
    ...postgresPaymentRecords(now),
    ...postgresDeliveryRecords,
    ...postgresAuditRecords,
  ];
}
