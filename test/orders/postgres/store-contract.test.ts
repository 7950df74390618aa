import { afterAll, beforeAll } from 'vitest';
import { createPostgresOrderStore } from '../../../src/orders/store-postgres/open.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { describeOrderStores } from '../store-contract.js';

let databases: TestDatabase[];
beforeAll(async () => {
  const first = await openTestDatabase();
  databases = [first, await openTestDatabase({ url: first.url })];
});
afterAll(() => Promise.all(databases.map((database) => database.close())));

describeOrderStores('PostgreSQL', async (clock) => {
  await emptyTestDatabase(databases[0] as TestDatabase);
  let opened = 0;
  return {
    async open() {
      // Two processes as seen by the database: each has its own connections.
      const database = databases[opened % 2] as TestDatabase;
      opened += 1;
      return createPostgresOrderStore(database, clock);
    },
  };
});
