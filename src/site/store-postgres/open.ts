import type { Announcement, Product, Settings, SettingsChanges } from '#validators/site';
import type { Clock } from '../../base/clock.js';
import { type AnySql, jsonParameter, type TransactionSql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { byNewestDate, defaultSettings } from '../content.js';
import type { SiteStore } from '../store.js';
import { watchSite } from './watch.js';

export interface PostgresSiteStore extends SiteStore {
  /** True for one caller only, of a site that nobody has changed yet: it may fill it. */
  claimEmpty(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Site content in tables. Every change raises the site's version in the same transaction, which puts
 * changes in one order and lets other processes see that what they prepared is old.
 */
export function createPostgresSiteStore(database: Database, clock: Clock): PostgresSiteStore {
  const watch = watchSite(database, clock);

  async function change<Result>(
    name: string,
    work: (sql: TransactionSql) => Promise<Result>,
  ): Promise<Result> {
    const result = await database.transaction(name, async (sql) => {
      await sql`update msgsite.site set version = version + 1`;
      return work(sql);
    });
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
    addProduct: (fields) =>
      change('add a product', async (sql) => {
        const [product] = await sql<Product[]>`
          insert into msgsite.products ${sql({ ...toRow(sql, fields), order: await nextOrder(sql) })}
          returning *`;
        if (!product) throw new Error('The new product is gone.');
        return product;
      }),
    changeProduct: (id, { id: _, ...changes }) =>
      change('change a product', async (sql) => {
        const [product] = await sql<Product[]>`
          update msgsite.products set ${sql(toRow(sql, changes))} where id = ${id} returning *`;
        return product;
      }),
    removeProduct: (id) =>
      change('remove a product', async (sql) => {
        const { count } = await sql`delete from msgsite.products where id = ${id}`;
        return count > 0;
      }),

    async listAnnouncements() {
      const all = await query<Announcement>(database, 'list announcements')`
        select * from msgsite.announcements`;
      return [...all].sort(byNewestDate);
    },
    addAnnouncement: (fields) =>
      change('add an announcement', async (sql) => {
        const [added] = await sql<Announcement[]>`
          insert into msgsite.announcements ${sql(fields)} returning *`;
        if (!added) throw new Error('The new announcement is gone.');
        return added;
      }),
    changeAnnouncement: (id, { id: _, ...changes }) =>
      change('change an announcement', async (sql) => {
        const [changed] = await sql<Announcement[]>`
          update msgsite.announcements set ${sql(changes)} where id = ${id} returning *`;
        return changed;
      }),
    removeAnnouncement: (id) =>
      change('remove an announcement', async (sql) => {
        const { count } = await sql`delete from msgsite.announcements where id = ${id}`;
        return count > 0;
      }),

    readSettings: () => database.run('read settings', readSettings),
    changeSettings: (changes) => change('change settings', (sql) => changeSettings(sql, changes)),

    onChange: watch.on,
    async claimEmpty() {
      const rows = await query(database, 'claim an empty site')`
        update msgsite.site set version = 1 where version = 0 returning 1`;
      return rows.length > 0;
    },
    close: watch.close,
  };
}

/** A list is stored as JSON; the other columns are what they are. */
function toRow<Fields extends Partial<Product>>(sql: TransactionSql, fields: Fields) {
  const { features } = fields;
  return {
    ...fields,
    ...(features ? { features: jsonParameter(sql, features) } : {}),
  };
}

/** The order after the last. */
async function nextOrder(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ next: number }[]>`
    select greatest(0, max("order")) + 1 as next from msgsite.products`;
  return row?.next ?? 1;
}

async function readSettings(sql: AnySql): Promise<Settings> {
  const [row] = await sql<{ settings: Settings | null }[]>`select settings from msgsite.site`;
  return row?.settings ?? defaultSettings;
}

async function changeSettings(sql: TransactionSql, changes: SettingsChanges) {
  const settings = { ...(await readSettings(sql)), ...changes };
  await sql`update msgsite.site set settings = ${jsonParameter(sql, settings)}`;
  return settings;
}
