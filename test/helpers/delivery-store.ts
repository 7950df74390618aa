import { inject, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { openDatabase } from '../../src/storage/postgres/database.js';
import { createWorker } from '../../src/storage/postgres/worker.js';
import type { DeliveryStore } from '../../src/webhooks/store.js';
import { createPostgresDeliveryStore } from '../../src/webhooks/store-postgres/open.js';
import { createTestDatabase } from './test-database.js';

/** Databases by data folder: opening a folder again means the same storage again. */
const databases = new Map<string, Promise<string>>();

/** In the project `postgres`, a store of one more process on the folder's database. */
export async function deliveryStoreFor(
  folder: string,
): Promise<{ readonly url?: string; readonly store?: DeliveryStore }> {
  if (!inject('postgres')) return {};
  const created = databases.get(folder) ?? createTestDatabase();
  databases.set(folder, created);
  const url = await created;
  const database = openDatabase({ url, log: silentLog(), clock: systemClock });
  onTestFinished(() => database.close());
  return { url, store: createPostgresDeliveryStore(database, createWorker(database, 'test')) };
}

/** The ids of what is pending, unclaimed and due, damaged ones included. */
export async function pendingIn(store: DeliveryStore): Promise<string[]> {
  const ids: string[] = [];
  await store.lookForPending({
    isKnown: () => false,
    onFound: ({ id }) => ids.push(id),
    onTrouble: (id) => ids.push(id),
  });
  return ids;
}
