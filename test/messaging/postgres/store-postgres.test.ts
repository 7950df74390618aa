import { afterAll, beforeAll } from 'vitest';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { describeMessagingStore } from '../store-contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describeMessagingStore('PostgreSQL', async () => {
  await emptyTestDatabase(database);
  return { open: async (clock) => createPostgresMessagingStore(database, clock) };
});
