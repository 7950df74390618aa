import type { Announcement, Product, Settings } from '#validators/site';
import type { SiteIds } from '#validators/site-document';
import { jsonParameter } from '../../storage/postgres/connect.js';
import {
  lastNumber,
  type PostgresRecords,
  setLastNumber,
  tableRecords,
} from '../../storage/postgres/records.js';
import { defaultSettings } from '../content.js';
import { announcementRecord, productRecord, settingsRecord } from '../records.js';

const sequences = {
  lastProductId: 'msgsite.products_id_seq',
  lastAnnouncementId: 'msgsite.announcements_id_seq',
} as const;

/** The site's records in its tables. */
export const postgresSiteRecords: readonly PostgresRecords[] = [
  {
    kind: 'site-settings',
    async *read(sql) {
      const rows = await sql<{ settings: Settings | null }[]>`
        select settings from msgsite.site`;
      yield* rows.map(({ settings }) => settingsRecord(settings ?? defaultSettings));
    },
    // The version rises, so that nobody takes the site for one that was never filled.
    insert: async (sql, [settings]) => {
      if (!settings) return;
      const parameter = jsonParameter(sql, settings);
      await sql`update msgsite.site set settings = ${parameter}, version = version + 1`;
    },
    reset: async (sql) => sql`insert into msgsite.site default values`,
  },
  tableRecords<Product, Product>({
    kind: 'product',
    table: 'msgsite.products',
    select: (sql) => sql`select * from msgsite.products order by id`,
    toRecord: productRecord,
    toRow: (product, sql) => ({ ...product, features: jsonParameter(sql, product.features) }),
  }),
  tableRecords<Announcement, Announcement>({
    kind: 'announcement',
    table: 'msgsite.announcements',
    select: (sql) => sql`select * from msgsite.announcements order by id`,
    toRecord: announcementRecord,
    toRow: (announcement) => announcement,
  }),
  {
    kind: 'site-ids',
    async *read(sql): AsyncGenerator<SiteIds> {
      yield {
        lastProductId: await lastNumber(sql, sequences.lastProductId),
        lastAnnouncementId: await lastNumber(sql, sequences.lastAnnouncementId),
      };
    },
    async insert(sql, [record]) {
      const ids = record as SiteIds | undefined;
      await setLastNumber(sql, sequences.lastProductId, ids?.lastProductId ?? 0);
      await setLastNumber(sql, sequences.lastAnnouncementId, ids?.lastAnnouncementId ?? 0);
    },
  },
];
