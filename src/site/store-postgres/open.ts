import type { Announcement, Product } from '#validators/site';
import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { assignments, type TransactionSql, valuesOf } from '../../storage/postgres/sql.js';
import { byNewestDate, byOrder } from '../content.js';
import type { DeletedOptions } from '../deleted.js';
import { announcementRecord, productRecord } from '../records.js';
import type { Assert, Restored, SiteStore } from '../store.js';
import { expiringSiteTables, keepDeleted, takeDeleted } from './deleted.js';
import { addProduct, addProducts, changeProducts, toRow } from './products.js';
import { changeSettings, changeShop, readSettings, readShop } from './single-records.js';
import { watchSite } from './watch.js';

export { expiringSiteTables };

export interface PostgresSiteStore extends SiteStore {
  /** True for one caller only, of a site that nobody has changed yet: it may fill it. */
  claimEmpty(): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds for all statements of an import together; each has as long as any other statement. */
const importPatience = 60_000;

/**
 * Site content in tables. Every change raises the site's version in the same transaction, which puts
 * changes in one order and lets other processes see that what they prepared is old: until one is done, the
 * next one waits for the row of the site, and then finds what that one left.
 */
export function createPostgresSiteStore(
  database: Database,
  clock: Clock,
  { keepDeletedMs }: DeletedOptions,
): PostgresSiteStore {
  const watch = watchSite(database, clock);
  /** What was deleted after this can be restored. */
  const since = () => new Date(Math.max(0, clock.now() - keepDeletedMs));

  async function change<Result>(
    name: string,
    work: (sql: TransactionSql) => Promise<Result>,
    patience?: number,
  ): Promise<Result> {
    const withVersion = async (sql: TransactionSql) => {
      await sql`update msgsite.site set version = version + 1`;
      return work(sql);
    };
    const result = await database.transaction(name, withVersion, patience);
    watch.notify();
    return result;
  }

  return {
    listProducts: () =>
      query<Product>(database, 'list products')`
        select * from msgsite.products order by "order", id`,
    async findProduct(id) {
      const [product] = await query<Product>(database, 'product by id')`
        select * from msgsite.products where id = ${id}`;
      return product;
    },
    addProduct: (fields) => change('add a product', (sql) => addProduct(sql, fields)),
    changeProduct: (id, { id: _, ...changes }, assert) =>
      change('change a product', async (sql) => {
        await assertCurrent(
          assert,
          sql<Product[]>`select * from msgsite.products where id = ${id}`,
        );
        const [product] = await sql<Product[]>`
          update msgsite.products set ${assignments(toRow(changes))} where id = ${id} returning *`;
        return product;
      }),
    removeProduct: (id) =>
      change('remove a product', async (sql) => {
        const [removed] = await sql<Product[]>`
          delete from msgsite.products where id = ${id} returning *`;
        if (!removed) return false;
        const was = productRecord(removed);
        await keepDeleted(sql, { table: 'msgsite.deleted_products', was, now: clock.now() });
        return true;
      }),
    restoreProduct: (id) =>
      change('restore a product', async (sql): Promise<Restored<Product>> => {
        const [present] = await sql`select 1 from msgsite.products where id = ${id}`;
        if (present) return 'present';
        const table = 'msgsite.deleted_products';
        const was = await takeDeleted<Product>(sql, { table, id, since: since() });
        if (!was) return 'unknown';
        await sql`insert into msgsite.products ${valuesOf(toRow(was))}`;
        return { restored: was };
      }),
    async listDeletedProducts() {
      const rows = await query<{ was: Product }>(database, 'list deleted products')`
        select was from msgsite.deleted_products where deleted_at > ${since()} order by deleted_at, id`;
      return rows.map(({ was }) => was);
    },
    importProducts: (decide) =>
      change(
        'import products',
        async (sql) => {
          const products = await sql<Product[]>`select * from msgsite.products`;
          const plan = decide([...products].sort(byOrder));
          await changeProducts(sql, plan.changed);
          await addProducts(sql, plan.added);
          return plan;
        },
        importPatience,
      ),

    async listAnnouncements() {
      const all = await query<Announcement>(database, 'list announcements')`
        select * from msgsite.announcements`;
      return [...all].sort(byNewestDate);
    },
    async findAnnouncement(id) {
      const [found] = await query<Announcement>(database, 'announcement by id')`
        select * from msgsite.announcements where id = ${id}`;
      return found;
    },
    addAnnouncement: (fields) =>
      change('add an announcement', async (sql) => {
        const [added] = await sql<Announcement[]>`
          insert into msgsite.announcements ${valuesOf(fields)} returning *`;
        if (!added) throw new Error('The new announcement is gone.');
        return added;
      }),
    changeAnnouncement: (id, { id: _, ...changes }, assert) =>
      change('change an announcement', async (sql) => {
        const current = sql<Announcement[]>`select * from msgsite.announcements where id = ${id}`;
        await assertCurrent(assert, current);
        const [changed] = await sql<Announcement[]>`
          update msgsite.announcements set ${assignments(changes)} where id = ${id} returning *`;
        return changed;
      }),
    removeAnnouncement: (id) =>
      change('remove an announcement', async (sql) => {
        const [removed] = await sql<Announcement[]>`
          delete from msgsite.announcements where id = ${id} returning *`;
        if (!removed) return false;
        const was = announcementRecord(removed);
        await keepDeleted(sql, { table: 'msgsite.deleted_announcements', was, now: clock.now() });
        return true;
      }),
    restoreAnnouncement: (id) =>
      change('restore an announcement', async (sql): Promise<Restored<Announcement>> => {
        const [present] = await sql`select 1 from msgsite.announcements where id = ${id}`;
        if (present) return 'present';
        const table = 'msgsite.deleted_announcements';
        const was = await takeDeleted<Announcement>(sql, { table, id, since: since() });
        if (!was) return 'unknown';
        await sql`insert into msgsite.announcements ${valuesOf(was)}`;
        return { restored: was };
      }),
    async listDeletedAnnouncements() {
      const rows = await query<{ was: Announcement }>(database, 'list deleted announcements')`
        select was from msgsite.deleted_announcements where deleted_at > ${since()} order by deleted_at, id`;
      return rows.map(({ was }) => was);
    },

    readSettings: () => database.run('read settings', readSettings),
    changeSettings: (changes, assert) =>
      change('change settings', (sql) => changeSettings(sql, changes, assert)),
    readShop: () => database.run('read the shop', readShop),
    changeShop: (changes, assert) =>
      change('change the shop', (sql) => changeShop(sql, changes, assert)),

    onChange: watch.on,
    async claimEmpty() {
      const rows = await query(database, 'claim an empty site')`
        update msgsite.site set version = 1 where version = 0 returning 1`;
      return rows.length > 0;
    },
    close: watch.close,
  };
}

/** Whoever changes the site holds its row: what is read here is what is changed. */
async function assertCurrent<Thing>(
  assert: Assert<Thing> | undefined,
  rows: PromiseLike<readonly Thing[]>,
): Promise<void> {
  if (!assert) return;
  const [current] = await rows;
  if (current) assert(current);
}
