import { afterAll, beforeAll } from 'vitest';
import { createPostgresPaymentStores } from '../../../src/payments/store-postgres/open.js';
import { createWorker } from '../../../src/storage/postgres/worker.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { describePaymentStores } from '../store-contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describePaymentStores('PostgreSQL', async (clock) => {
  await emptyTestDatabase(database);
  return {
    open: async () =>
      createPostgresPaymentStores(database, createWorker(database, 'contract'), clock),
  };
});
