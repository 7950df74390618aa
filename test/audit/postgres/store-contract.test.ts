import { afterAll, beforeAll } from 'vitest';
import type { AuditStore } from '../../../src/audit/store.js';
import { createPostgresAuditStore } from '../../../src/audit/store-postgres/open.js';
import { createWorker } from '../../../src/storage/postgres/worker.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { describeAuditStore } from '../store-contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describeAuditStore('PostgreSQL', async () => {
  await emptyTestDatabase(database);
  const labels = new Map<AuditStore, string>();
  return {
    async open() {
      const label = `process ${labels.size}`;
      const store = createPostgresAuditStore(database, createWorker(database, label));
      labels.set(store, label);
      return store;
    },
    async kill(store) {
      await database.run(
        'expire',
        (sql) => sql`update msgsite.workers set lease_until = now() - interval '1 hour'
          where label = ${labels.get(store) ?? ''}`,
      );
    },
  };
});
