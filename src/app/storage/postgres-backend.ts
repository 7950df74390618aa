import { unlimited } from '../../base/rate-limit.js';
import { loadSecrets } from '../../config/secrets.js';
import {
  createPostgresMessagingStore,
  expiringMessagingTables,
} from '../../messaging/store-postgres/open.js';
import {
  createPostgresPaymentStores,
  expiringPaymentTables,
} from '../../payments/store-postgres/open.js';
import { watcherLabel } from '../../payments/store-postgres/payment-claims.js';
import { createPostgresSiteStore, type PostgresSiteStore } from '../../site/store-postgres/open.js';
import { prepareDataFolder } from '../../storage/json/prepare-data-folder.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { followDatabaseClock } from '../../storage/postgres/database-clock.js';
import { shareDatabase } from '../../storage/postgres/database-lock.js';
import { migrate } from '../../storage/postgres/migrations.js';
import { createSharedRateLimiter } from '../../storage/postgres/rate-limiter.js';
import { checkSecrets } from '../../storage/postgres/secret-check.js';
import { startSweeper } from '../../storage/postgres/sweep.js';
import { createWorker } from '../../storage/postgres/worker.js';
import { createPostgresDeliveryStore } from '../../webhooks/store-postgres/open.js';
import type { Backend } from './backend.js';
import type { BackendOptions } from './json-backend.js';

/**
 * A PostgreSQL database, brought to the structure that this program works with. The data folder holds
 * generated secrets and the sandbox's state only.
 */
export async function openPostgresBackend(url: string, options: BackendOptions): Promise<Backend> {
  const { config, log, clock: local } = options;
  await prepareDataFolder(config.data);
  const { applied } = await migrate(url);
  if (applied.length > 0) log.info({ applied }, 'The database has been given its structure.');
  const share = await shareDatabase(url, 'msgsite serve', local);
  const database = openDatabase({ url, log, clock: local, assertAllowed: share.assert });
  try {
    await checkSecrets(database, await loadSecrets(config.data, config));
    const clock = await followDatabaseClock(database, local);
    const tables = [...expiringMessagingTables, ...expiringPaymentTables];
    const sweeper = startSweeper({ database, clock, log, tables });
    let site: PostgresSiteStore | undefined;
    return {
      clock,
      rateLimiter: config.rateLimit ? createSharedRateLimiter(database) : unlimited,
      async openSite() {
        site = createPostgresSiteStore(database, clock);
        return { store: site, isNew: await site.claimEmpty() };
      },
      openMessaging: async () => createPostgresMessagingStore(database, clock),
      gateway: {
        payments: createPostgresPaymentStores(
          database,
          createWorker(database, watcherLabel),
          clock,
        ),
        deliveries: createPostgresDeliveryStore(database, createWorker(database, 'webhooks')),
      },
      async close() {
        // Together: what still waits for a database that is away ends with its connections.
        await Promise.all([sweeper.stop(), clock.close(), site?.close(), database.close()]);
        await share.release();
      },
    };
  } catch (error) {
    await database.close();
    await share.release();
    throw error;
  }
}
