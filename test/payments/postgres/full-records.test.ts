import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPaymentRecords } from '../../../src/payments/store-postgres/transfer.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { fullRecords, now } from '../full-records.js';
import { collect } from '../payments-under-test.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await emptyTestDatabase(database);
});
afterAll(() => database.close());

it.each(Object.entries(fullRecords))(
  'every optional property of a %s survives storage in a row',
  async (name, record) => {
    const records = postgresPaymentRecords(now).find(({ kind }) => kind === name);
    const read = await database.transaction('full records', async (sql) => {
      await records?.insert(sql, [record]);
      return records && collect(records.read(sql));
    });
    expect(read).toEqual([record]);
  },
);
