import type { Announcement, Product, Settings, Shop } from '#validators/site';
import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import {
  identifier,
  json,
  type Sql,
  type TransactionSql,
  valuesOf,
} from '../../storage/postgres/sql.js';
import type { DeletedOptions } from '../content.js';
import { byNewestDate, byOrder, defaultSettings, defaultShop } from '../content.js';
import type { Assert, SiteStore } from '../store.js';
import {
  addProduct,
  addProducts,
  changeProducts,
  expiringSiteTables,
  thingsIn,
  toRow,
} from './things.js';

export { expiringSiteTables };

export interface PostgresSiteStore extends SiteStore {
  /** Returns true to exactly one caller if the site has never been changed. That caller can fill the site. */
  claimEmpty(): Promise<boolean>;
  close(): Promise<void>;
}

/** Maximum duration of an import's transaction, in milliseconds. Each statement also has the usual limit. */
const importPatience = 60_000;

/**
 * Returns the store of the site's content in PostgreSQL. Each change increments the site's version in the same
 * transaction. The lock on the site's row serializes changes, and the new version invalidates the caches of other
 * processes.
 */
export function createPostgresSiteStore(
  database: Database,
  clock: Clock,
  { keepDeletedMs }: DeletedOptions,
): PostgresSiteStore {
  const watch = watchSite(database, clock);
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

  const shared = { database, keepDeletedMs, now: () => clock.now(), change };
  const products = thingsIn<Product>({
    ...shared,
    noun: 'product',
    table: 'msgsite.products',
    deletedTable: 'msgsite.deleted_products',
    toRow,
  });
  const announcements = thingsIn<Announcement>({
    ...shared,
    noun: 'announcement',
    table: 'msgsite.announcements',
    deletedTable: 'msgsite.deleted_announcements',
    toRow: (fields) => fields,
  });

  return {
    products: {
      ...products,
      list: () =>
        query<Product>(database, 'list products')`
          select * from msgsite.products order by "order", id`,
      add: (fields) => change('add a product', (sql) => addProduct(sql, fields)),
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
    announcements: {
      ...announcements,
      async list() {
        const all = await query<Announcement>(database, 'list announcements')`
          select * from msgsite.announcements`;
        return [...all].sort(byNewestDate);
      },
      add: (fields) =>
        change('add an announcement', async (sql) => {
          const [added] = await sql<Announcement[]>`
            insert into msgsite.announcements ${valuesOf(fields)} returning *`;
          if (!added) throw new Error('The insert returned no announcement.');
          return added;
        }),
    },

    readSettings: () => database.run('read settings', readSettings),
    changeSettings: (changes, assert) =>
      change('change settings', async (sql) =>
        changeSingle(sql, 'settings', { current: await readSettings(sql), changes, assert }),
      ),
    readShop: () => database.run('read the shop', readShop),
    changeShop: (changes, assert) =>
      change('change the shop', async (sql) =>
        changeSingle(sql, 'shop', { current: await readShop(sql), changes, assert }),
      ),

    onChange: watch.on,
    async claimEmpty() {
      const rows = await query(database, 'claim an empty site')`
        update msgsite.site set version = 1 where version = 0 returning 1`;
      return rows.length > 0;
    },
    close: watch.close,
  };
}

async function readSettings(sql: Sql): Promise<Settings> {
  const [row] = await sql<{ settings: Settings | null }[]>`select settings from msgsite.site`;
  return row?.settings ?? defaultSettings;
}

async function readShop(sql: Sql): Promise<Shop> {
  const [row] = await sql<{ shop: Shop | null }[]>`select shop from msgsite.site`;
  return row?.shop ?? defaultShop;
}

interface SingleChange<Thing> {
  readonly current: Thing;
  readonly changes: Partial<Thing>;
  readonly assert?: Assert<Thing> | undefined;
}

/** Changes one column of the site's row. Returns the new value. */
async function changeSingle<Thing extends object>(
  sql: TransactionSql,
  column: 'settings' | 'shop',
  { current, changes, assert }: SingleChange<Thing>,
): Promise<Thing> {
  assert?.(current);
  const changed = { ...current, ...changes };
  await sql`update msgsite.site set ${identifier(column)} = ${json(changed)}`;
  return changed;
}

const topic = 'site';
/** Interval between polls of the site's version, in milliseconds. Polls detect changes whose notification was lost. */
const pollEvery = 1_000;
/** Time for which cached site content is served without confirmation by the database, in milliseconds. */
const maxUnsure = 5_000;

/**
 * Watches for changes by this process and others. Listeners are called when a notification arrives, usually within
 * milliseconds, or when a poll finds a new version. If the database has not responded for five seconds, they are called
 * every second, so that stale content is not served for longer.
 */
function watchSite(database: Database, clock: Clock) {
  const listeners: (() => void)[] = [];
  let version: number | undefined;
  let polledAt = clock.monotonic();
  let polling: ReturnType<typeof startEvery> | undefined;
  const stopListening = database.notifications.on(topic, call);

  function call(): void {
    for (const listener of listeners) listener();
  }

  async function poll(): Promise<void> {
    const [row] = await query<{ version: number }>(database, "poll the site's version")`
      select version from msgsite.site`;
    polledAt = clock.monotonic();
    if (row?.version !== version) call();
    version = row?.version;
  }

  function callWhenUnsure(): void {
    if (clock.monotonic() - polledAt >= maxUnsure) call();
  }

  return {
    on(listener: () => void): void {
      listeners.push(listener);
      polling ??= startEvery(pollEvery, poll, { clock, onError: callWhenUnsure });
    },
    /** Reports a change by this process. */
    notify(): void {
      call();
      database.notifications.send(topic, 'changed');
    },
    async close(): Promise<void> {
      stopListening();
      await polling?.stop();
    },
  };
}
