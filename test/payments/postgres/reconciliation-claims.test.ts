import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ReconciliationClaims } from '../../../src/payments/store.js';
import { createReconciliationClaims } from '../../../src/payments/store-postgres/reconciliation-claims.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';

let database: TestDatabase;
let here: ReconciliationClaims;
let there: ReconciliationClaims;
const day = '2026-11-21';

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTestDatabase(database);
  [here, there] = [createReconciliationClaims(database), createReconciliationClaims(database)];
});

it('one of many that come at once gets a day', async () => {
  const claims = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? here : there).claim(day));
  const answers = (await Promise.all(claims)).sort();
  expect(answers).toEqual([...Array.from({ length: 7 }, () => 'busy'), 'mine']);
});

it('a day that was compared is done for everybody, another one is not', async () => {
  await here.claim(day);
  await here.finish(day);
  expect(await there.claim(day)).toBe('done');
  expect(await here.claim(day)).toBe('done');
  expect(await there.claim('2026-11-22')).toBe('mine');
});

it('a claim that was not finished in an hour is another’s', async () => {
  await here.claim(day);
  const age = (minutes: number) =>
    database.run(
      'age the claim',
      (sql) => sql`update msgsite.reconciliations
        set claimed_until = claimed_until - make_interval(mins => ${minutes})`,
    );
  await age(59);
  expect(await there.claim(day)).toBe('busy');
  await age(2);
  expect(await there.claim(day)).toBe('mine');
  expect(await here.claim(day)).toBe('busy');
});
