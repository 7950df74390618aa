import { createPostgresPaymentStores } from '../../payments/store-postgres/open.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { followDatabaseClock } from '../../storage/postgres/database-clock.js';
import { type DatabaseShare, shareDatabase } from '../../storage/postgres/database-lock.js';
import { keepLease } from '../../storage/postgres/lease-keeper.js';
import { assertStructure, startError } from '../../storage/postgres/migrations.js';
import { checkGatewayKey } from '../../storage/postgres/secret-check.js';
import { createWorker } from '../../storage/postgres/worker.js';
import { createPostgresDeliveryStore } from '../../webhooks/store-postgres/open.js';
import type { GatewayStorage, GatewayStorageOptions } from './backend.js';

/** A command does one thing after the other; the watcher and webhooks of a `serve` need more. */
const connections = 4;

/** The tables of a database that has its structure already; see `openGatewayStorage`. */
export async function openPostgresGatewayStorage(
  url: string,
  { clock: local, log, label, gatewayKey }: Omit<GatewayStorageOptions, 'database'>,
): Promise<GatewayStorage> {
  const database = openDatabase({ url, log, clock: local, connections });
  let share: DatabaseShare | undefined;
  try {
    await assertStructure(database);
    share = await shareDatabase(url, `msgsite ${label}`, local);
    if (gatewayKey !== undefined) await checkGatewayKey(database, gatewayKey);
    const clock = await followDatabaseClock(database, local);
    const worker = keepLease(createWorker(database, label), local);
    return {
      clock,
      stores: {
        payments: createPostgresPaymentStores(database, worker, clock),
        deliveries: createPostgresDeliveryStore(database, worker),
      },
      async close() {
        await worker.leave();
        await Promise.all([clock.close(), database.close()]);
        await share?.release();
      },
    };
  } catch (error) {
    await database.close();
    await share?.release();
    throw startError(error, url);
  }
}
