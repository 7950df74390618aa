import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostgresImageStore } from '../../../src/images/store-postgres/image-store.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
  useTestDatabase,
} from '../../helpers/test-database.js';
import { describeImageStore, nameOf, sizesOf } from '../store-contract.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describeImageStore('PostgreSQL', async () => {
  await emptyTestDatabase(database);
  return { open: async () => createPostgresImageStore(database) };
});

const media = { name: nameOf('a'), width: 800 } as const;

it('the PostgreSQL image store stores a picture once when two processes add it simultaneously', async () => {
  await emptyTestDatabase(database);
  const other = await useTestDatabase({ url: database.url });
  const stores = [database, other].map((each) => createPostgresImageStore(each));
  await Promise.all(stores.map((store) => store.add(media.name, sizesOf('a'), 1)));
  for (const store of stores) {
    expect(await store.list()).toEqual([{ name: media.name, unusedSince: 1 }]);
    expect((await store.read(media))?.bytes).toEqual(sizesOf('a')[800]);
  }
});

it('the PostgreSQL image store never serves a damaged picture, and replaces it on the next upload', async () => {
  await emptyTestDatabase(database);
  const store = createPostgresImageStore(database);
  await store.add(media.name, sizesOf('a'), 1);
  await database.run(
    'damage',
    (sql) =>
      sql`update msgsite.image_sizes set content = set_byte(content, 3, 0) where width = 800`,
  );
  await expect(store.read(media)).rejects.toMatchObject({ code: 'data_damaged' });
  expect(await store.renew(media.name, 2)).toBe(false);
  await store.add(media.name, sizesOf('a'), 2);
  expect((await store.read(media))?.bytes).toEqual(sizesOf('a')[800]);
});

it('the PostgreSQL image store queries the database once for repeated reads', async () => {
  await emptyTestDatabase(database);
  await createPostgresImageStore(database).add(media.name, sizesOf('a'), 1);
  const queries: string[] = [];
  const counting = createPostgresImageStore({
    ...database,
    run(name, work) {
      queries.push(name);
      return database.run(name, work);
    },
  });
  await Promise.all([counting.read(media), counting.read(media)]);
  await counting.read(media);
  expect(queries).toEqual(['read a picture']);
});
