import { createPeople, type People } from '../messaging/people.js';
import type { MessagingStore } from '../messaging/store.js';
import { openStorage } from './open-storage.js';
import { rethrowInUse } from './served-data.js';
import type { StorageOptions } from './storage.js';

/** What the operator does for people, on the data itself. */
export interface OpenedPeople {
  readonly people: People;
  readonly store: MessagingStore;
  close(): Promise<void>;
}

/**
 * Opens the accounts for a command. On files it has them to itself: beside a `serve` it is `data_in_use`, with
 * the address of the admin page, which does the same.
 */
export async function openPeople(options: StorageOptions): Promise<OpenedPeople> {
  const storage = await openStorage('manage', options).catch((error: unknown) =>
    rethrowInUse(error, options, { what: 'the accounts', section: 'people' }),
  );
  try {
    const [store, audit] = await Promise.all([storage.messaging(), storage.audit()]);
    const { clock } = storage;
    const { encryptionSecret } = options.config;
    return {
      people: createPeople({ store, clock, audit, who: 'operator', encryptionSecret }),
      store,
      async close() {
        await store.close().finally(() => storage.close());
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
