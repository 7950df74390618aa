import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createPostgresAuditStore } from '../../../../src/audit/store-postgres/open.js';
import { createPostgresPaymentStores } from '../../../../src/payments/store-postgres/open.js';
import { createWorker } from '../../../../src/storage/postgres/worker.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../../helpers/test-database.js';
import { openMoneyOn } from '../money-under-test.js';
import { createMortal } from '../mortal.js';
import { describeRefunds } from '../refund-contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTestDatabase(database));

describeRefunds('PostgreSQL', async (world, label) => {
  const mortal = createMortal();
  const own = {
    ...database,
    run: ((name, work) => mortal.step(() => database.run(name, work))) as TestDatabase['run'],
    transaction: ((name, work) =>
      mortal.step(() => database.transaction(name, work))) as TestDatabase['transaction'],
  };
  const worker = createWorker(own, label);
  const storage = {
    stores: createPostgresPaymentStores(own, worker, mortal.clock(world.clock)),
    audit: createPostgresAuditStore(own, worker),
  };
  const money = await openMoneyOn(world, storage, mortal);
  return {
    ...money,
    async kill() {
      await mortal.die();
      await database.run(
        'end a lease',
        (sql) => sql`delete from msgsite.workers where label = ${label}`,
      );
    },
  };
});
