import { createPostgresPaymentStores } from '../../payments/store-postgres/open.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { followDatabaseClock } from '../../storage/postgres/database-clock.js';
import { keepLease } from '../../storage/postgres/lease-keeper.js';
import { assertStructure, startError } from '../../storage/postgres/migrations.js';
import { enterDatabase, type Presence } from '../../storage/postgres/presence.js';
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
  let presence: Presence | undefined;
  try {
    await assertStructure(database);
    presence = await enterDatabase(url, `msgsite ${label}`, local);
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
        await presence?.leave();
      },
    };
  } catch (error) {
    await database.close();
    await presence?.leave();
    throw startError(error, url);
  }
}
