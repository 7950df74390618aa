import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { completeProduct } from '../../../src/site/content.js';
import {
  createPostgresSiteStore,
  type PostgresSiteStore,
} from '../../../src/site/store-postgres/open.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
  useTestDatabase,
} from '../../helpers/test-database.js';
import { describeSiteStore } from '../store-contract.js';

let database: TestDatabase;
const opened: PostgresSiteStore[] = [];
function open(on: TestDatabase = database): PostgresSiteStore {
  const store = createPostgresSiteStore(on, systemClock);
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
  return { open: async () => open() };
});

/** Resolves when the store reports a change. */
const changeOf = (store: PostgresSiteStore) =>
  new Promise<void>((resolve) => store.onChange(resolve));

it('reports what another process has changed', async () => {
  const other = await useTestDatabase({ url: database.url });
  const [here, there] = [open(), open(other)];
  await changeOf(here); // The first look: what was prepared before it may be old.
  const told = changeOf(here);
  await there.addProduct(completeProduct({ name: 'new' }));
  await told;
  expect((await here.listProducts()).map(({ name }) => name)).toContain('new');
});

it('finds out by itself where no notification comes', async () => {
  const deaf = {
    ...database,
    notifications: { send() {}, on: () => () => {}, close: async () => {} },
  };
  const [here, there] = [open(deaf), open(deaf)];
  await changeOf(here);
  const told = changeOf(here);
  await there.changeSettings({ theme: 'dark' });
  await told;
  expect((await here.readSettings()).theme).toBe('dark');
});

it('gives an untouched site to one who fills it', async () => {
  const fresh = await useTestDatabase();
  const claims = await Promise.all([open(fresh), open(fresh)].map((store) => store.claimEmpty()));
  expect(claims.sort()).toEqual([false, true]);
  expect(await open(fresh).claimEmpty()).toBe(false);
});
