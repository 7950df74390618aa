import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { OrderStore } from '../../../src/orders/store.js';
import { createPostgresOrderStore } from '../../../src/orders/store-postgres/open.js';
import { identifier } from '../../../src/storage/postgres/sql.js';
import { dyingAt } from '../../helpers/dying-database.js';
import {
  emptyTestDatabase,
  losingAnswers,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { hashOf, idOf, order, paid } from '../order-samples.js';

let database: TestDatabase;
let store: OrderStore;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createPostgresOrderStore(database, systemClock);
});
afterAll(() => database.close());

/** Returns everything that is stored. */
function contentOf(): Promise<unknown> {
  const tables = ['orders', 'order_keys', 'stock'];
  return Promise.all(
    tables.map((table) =>
      database.run(
        'content',
        (sql) => sql`
          select to_jsonb(stored)::text as row from ${identifier(`msgsite.${table}`)} as stored order by 1`,
      ),
    ),
  );
}

const keyHash = hashOf('key');
const fresh = (name: string) => order(name, { createdAt: systemClock.now() });

async function prepare(): Promise<void> {
  await emptyTestDatabase(database);
  await store.changeLeft(3, () => 3);
  for (const name of ['a', 'b']) await store.add(fresh(name));
  await store.add({ ...fresh('c'), keyHash: hashOf('of c') });
  await store.change(idOf('b'), paid);
}

const pay = (on: OrderStore) =>
  on.change(idOf('a'), (before) => (before.status === 'paid' ? undefined : paid(before)));

const acts: [string, number, (on: OrderStore) => Promise<unknown>][] = [
  ['ordering under a key', 2, (on) => on.add({ ...fresh('d'), keyHash })],
  ['paying for more than is left', 4, pay],
  ['removing an order', 2, (on) => on.remove(idOf('c'))],
  ['changing a count', 3, (on) => on.changeLeft(3, (left) => (left ?? 0) + 1)],
  ['beginning to count', 3, (on) => on.changeLeft(4, () => 5)],
];

it.each(acts)(
  '%s changes nothing if killed at any query, and succeeds when repeated',
  async (_, queries, act) => {
    await prepare();
    const before = await contentOf();
    for (let n = 1; ; n += 1) {
      const { dying, count } = dyingAt(database, n);
      const mortal = createPostgresOrderStore(dying, systemClock);
      const [outcome] = await Promise.allSettled([act(mortal)]);
      await mortal.close();
      if (count() < n) {
        expect(outcome?.status).toBe('fulfilled');
        expect(n).toBeGreaterThan(queries);
        break;
      }
      expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable' } });
      expect(await contentOf()).toEqual(before);
    }
    expect(await contentOf()).not.toEqual(before);
  },
);

it('a payment that is stored again after a lost answer is counted once', async () => {
  await prepare();
  const losing = losingTransactions();
  const mortal = createPostgresOrderStore(losing, systemClock);
  const heard: unknown[] = [];
  mortal.onOrder((id) => heard.push(id));
  await expect(pay(mortal)).rejects.toMatchObject({ code: 'storage_unavailable' });
  // Waiting clients read the order again, because it may have been stored.
  expect(heard).toContain(idOf('a'));
  expect(await pay(store)).toMatchObject({ status: 'paid', items: [{ oversold: true }] });
  expect(await store.stock()).toEqual([{ productId: 3, left: 0 }]);
  await mortal.close();
});

/** Returns a database that commits transactions and loses their answers. */
function losingTransactions(): ReturnType<typeof losingAnswers> {
  const losing = losingAnswers(database);
  return {
    ...losing,
    async transaction(name, work) {
      await database.transaction(name, work);
      losing.lose(name);
      return losing.run(name, async () => undefined as never);
    },
  };
}
