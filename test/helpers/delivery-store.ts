import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import type { DeliveryStore } from '../../src/events/store.js';
import { createJsonDeliveryStore } from '../../src/events/store-json/open.js';
import { createPostgresDeliveryStore } from '../../src/events/store-postgres/open.js';
import { openDatabase } from '../../src/storage/postgres/database.js';
import { createWorker } from '../../src/storage/postgres/worker.js';
import { createTestDatabase } from './test-database.js';

/** Databases by data folder, so that opening a folder again uses the same storage. */
const databases = new Map<string, Promise<string>>();

/**
 * Opens the store of another process on a data folder. In the project `postgres`, the folder has its own database,
 * whose address is also returned.
 */
export async function deliveryStoreFor(
  data: string,
  clock: Clock = systemClock,
): Promise<{ readonly url?: string; readonly store: DeliveryStore }> {
  if (!inject('postgres')) {
    const folder = join(data, 'webhooks');
    return { store: await createJsonDeliveryStore({ folder, clock, label: 'test' }) };
  }
  const created = databases.get(data) ?? createTestDatabase();
  databases.set(data, created);
  const url = await created;
  const database = openDatabase({ url, log: silentLog(), clock: systemClock });
  onTestFinished(() => database.close());
  return { url, store: createPostgresDeliveryStore(database, createWorker(database, 'test')) };
}

/** Returns the IDs of pending, unclaimed and due deliveries, including damaged ones. */
export async function pendingIn(store: DeliveryStore): Promise<string[]> {
  const ids: string[] = [];
  await store.findPending({
    isKnown: () => false,
    onFound: ({ id }) => ids.push(id),
    onUnreadable: (id) => ids.push(id),
  });
  return ids;
}
