import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../../helpers/test-database.js';
import { describeRefunds } from '../refund-contract.js';
import { openPostgresMoney } from './postgres-money.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTestDatabase(database));

describeRefunds('PostgreSQL', (world, label) => openPostgresMoney(database, world, label));
