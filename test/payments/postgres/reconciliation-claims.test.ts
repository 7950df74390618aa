import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ReconciliationClaims } from '../../../src/payments/store.js';
import { createReconciliationClaims } from '../../../src/payments/store-postgres/open.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';

let database: TestDatabase;
let here: ReconciliationClaims;
let there: ReconciliationClaims;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTestDatabase(database);
  [here, there] = [createReconciliationClaims(database), createReconciliationClaims(database)];
});

it('only one of many concurrent claims of an organization succeeds', async () => {
  const claims = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? here : there).claim(7));
  const answers = (await Promise.all(claims)).filter(Boolean);
  expect(answers).toHaveLength(1);
  expect(await there.claim(8)).toBe(true);
});

it('a released organization can be claimed by any process', async () => {
  await here.claim(7);
  await here.claim(8);
  await here.release(7);
  expect([await there.claim(7), await there.claim(8)]).toEqual([true, false]);
  await here.release(9);
});

it('a claim expires for other processes after an hour', async () => {
  await here.claim(7);
  const age = (minutes: number) =>
    database.run(
      'age the claim',
      (sql) => sql`update msgsite.reconciliations
        set claimed_until = claimed_until - make_interval(mins => ${minutes})`,
    );
  await age(59);
  expect(await there.claim(7)).toBe(false);
  await age(2);
  expect(await there.claim(7)).toBe(true);
  expect(await here.claim(7)).toBe(false);
});
