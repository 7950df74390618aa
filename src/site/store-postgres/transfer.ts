import { jsonParameter, type TransactionSql } from '../../storage/postgres/connect.js';
import { type PostgresRecords, streamRows } from '../../storage/postgres/records.js';
import { type Announcement, defaultSettings, type Product, type SiteSettings } from '../content.js';
import {
  announcementRecord,
  productRecord,
  type SiteIdsRecord,
  settingsRecord,
} from '../records.js';

/** The site's records in its tables. */
export const postgresSiteRecords: readonly PostgresRecords[] = [
  {
    kind: 'site-settings',
    read: (sql) =>
      streamRows(
        sql<{ settings: SiteSettings | null }[]>`select settings from msgsite.site`,
        ({ settings }) => settingsRecord(settings ?? defaultSettings),
      ),
    // The version rises, so that nobody takes the site for one that was never filled.
    insert: async (sql, [settings]) => {
      if (!settings) return;
      const parameter = jsonParameter(sql, settings);
      await sql`update msgsite.site set settings = ${parameter}, version = version + 1`;
    },
  },
  {
    kind: 'product',
    read: (sql) =>
      streamRows(sql<Product[]>`select * from msgsite.products order by id`, productRecord),
    async insert(sql, records) {
      for (const product of records as readonly Product[]) {
        const row = { ...product, features: jsonParameter(sql, product.features) };
        await sql`insert into msgsite.products ${sql(row)}`;
      }
    },
  },
  {
    kind: 'announcement',
    read: (sql) =>
      streamRows(
        sql<Announcement[]>`select * from msgsite.announcements order by id`,
        announcementRecord,
      ),
    async insert(sql, records) {
      for (const announcement of records as readonly Announcement[]) {
        await sql`insert into msgsite.announcements ${sql(announcement)}`;
      }
    },
  },
  {
    kind: 'site-ids',
    async *read(sql) {
      yield {
        lastProductId: await lastId(sql, 'products'),
        lastAnnouncementId: await lastId(sql, 'announcements'),
      };
    },
    async insert(sql, [record]) {
      const ids = record as SiteIdsRecord | undefined;
      await setLastId(sql, 'products', ids?.lastProductId ?? 0);
      await setLastId(sql, 'announcements', ids?.lastAnnouncementId ?? 0);
    },
  },
];

type Numbered = 'products' | 'announcements';

/** The highest id that a table has given, also where it is gone. */
async function lastId(sql: TransactionSql, table: Numbered): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    select case when is_called then last_value else 0 end as last
    from ${sql(`msgsite.${table}_id_seq`)}`;
  return row?.last ?? 0;
}

async function setLastId(sql: TransactionSql, table: Numbered, last: number): Promise<void> {
  const sequence = `msgsite.${table}_id_seq`;
  await sql`select setval(${sequence}::text::regclass, ${Math.max(1, last)}, ${last > 0})`;
}
