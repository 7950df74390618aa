import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.js';
import { completeProduct } from '../../../src/site/content.js';
import {
  createPostgresSiteStore,
  expiringSiteTables,
  type PostgresSiteStore,
} from '../../../src/site/store-postgres/open.js';
import { sweepExpired } from '../../../src/storage/postgres/sweep.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
  useTestDatabase,
} from '../../helpers/test-database.js';
import { describeSiteStore, keepDeletedMs } from '../store-contract.js';

let database: TestDatabase;
const opened: PostgresSiteStore[] = [];
function open(on: TestDatabase = database, clock: Clock = systemClock): PostgresSiteStore {
  const store = createPostgresSiteStore(on, clock, { keepDeletedMs });
  opened.push(store);
  return store;
}

beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});
afterAll(() => database.close());

describeSiteStore('PostgreSQL', async () => {
  await emptyTestDatabase(database);
  return { open: async (options) => open(database, options?.clock) };
});

/** Resolves when the store reports a change. */
const changeOf = (store: PostgresSiteStore) =>
  new Promise<void>((resolve) => store.onChange(resolve));

it('the PostgreSQL site store reports changes by another process', async () => {
  const other = await useTestDatabase({ url: database.url });
  const [here, there] = [open(), open(other)];
  await changeOf(here); // The first poll reports a change, because cached content may be stale.
  const reported = changeOf(here);
  await there.products.add(completeProduct({ name: 'new' }));
  await reported;
  expect((await here.products.list()).map(({ name }) => name)).toContain('new');
});

it('the PostgreSQL site store detects changes without notifications', async () => {
  const deaf = {
    ...database,
    notifications: {
      send() {},
      on: () => () => {},
      onMissed: () => () => {},
      close: async () => {},
    },
  };
  const [here, there] = [open(deaf), open(deaf)];
  await changeOf(here);
  const reported = changeOf(here);
  await there.changeSettings({ theme: 'dark' });
  await reported;
  expect((await here.readSettings()).theme).toBe('dark');
});

it('the PostgreSQL site store lets only one of two processes claim an empty site', async () => {
  const fresh = await useTestDatabase();
  const claims = await Promise.all([open(fresh), open(fresh)].map((store) => store.claimEmpty()));
  expect(claims.sort()).toEqual([false, true]);
  expect(await open(fresh).claimEmpty()).toBe(false);
});

it('the PostgreSQL site store accepts only one of two concurrent changes of the same version', async () => {
  const other = await useTestDatabase({ url: database.url });
  const stores = [open(), open(other)];
  const [here] = stores;
  const { id } = (await here?.products.add(completeProduct({ name: 'a' }))) ?? { id: 0 };
  for (let round = 0; round < 5; round += 1) {
    const before = JSON.stringify(await here?.products.find(id));
    const assert = (current: object) => {
      if (JSON.stringify(current) !== before) throw new Error('changed');
    };
    const outcomes = await Promise.allSettled(
      stores.map((store, index) =>
        store.products.change(id, { name: `${round} ${index}` }, assert),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [winner] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(await stores[1]?.products.find(id)).toEqual(winner);
  }
});

it('the PostgreSQL site store stores the latest thousand deleted items of a kind and removes expired ones', async () => {
  const fresh = await useTestDatabase();
  const store = open(fresh);
  const now = systemClock.now();
  await fresh.run(
    'fill',
    (sql) => sql`
      insert into msgsite.deleted_products (id, deleted_at, was)
      select n, ${new Date(now)}::timestamptz - n * interval '1 millisecond', json_build_object('id', n)
      from generate_series(101, 1100) n`,
  );
  const { id } = await store.products.add(completeProduct({ name: 'last' }));
  await store.products.remove(id);
  const count = () => fresh.run('count', (sql) => sql`select id from msgsite.deleted_products`);
  expect(await count()).toHaveLength(1000);
  expect(await store.products.restore(1_100)).toBe('unknown');
  expect(await store.products.restore(id)).toMatchObject({ restored: { name: 'last' } });
  const clock = { now: () => now + keepDeletedMs + 1_000 };
  await sweepExpired({
    database: fresh,
    clock: { ...systemClock, ...clock },
    tables: expiringSiteTables({ keepDeletedMs }),
  });
  expect(await count()).toEqual([]);
  expect(expiringSiteTables({ keepDeletedMs: Number.POSITIVE_INFINITY })).toEqual([]);
});
