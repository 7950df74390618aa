import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostgresStateStore } from '../../../src/storage/postgres/state-store.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { describeStateStores } from '../state-contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describeStateStores('PostgreSQL', async () => {
  await emptyTestDatabase(database);
  return { open: async () => createPostgresStateStore(database) };
});

it('the PostgreSQL state store rejects a row that is invalid for its name', async () => {
  await emptyTestDatabase(database);
  await database.run(
    'damage a fact',
    (sql) => sql`insert into msgsite.state (name, record) values ('instance', '{"id": "short"}')`,
  );
  const store = createPostgresStateStore(database);
  await expect(store.find('instance')).rejects.toMatchObject({ code: 'data_damaged' });
});
