import type { Announcement, Product, Settings, Shop } from '#validators/site';
import type { DeletedAnnouncement, DeletedProduct, SiteIds } from '#validators/site-document';
import {
  lastNumber,
  type PostgresRecords,
  setLastNumber,
  tableRecords,
} from '../../storage/postgres/record-table.js';
import { json } from '../../storage/postgres/sql.js';
import { defaultSettings, defaultShop } from '../content.js';
import { shopRecords } from '../records.js';
import { toRow } from './things.js';

const sequences = {
  lastProductId: 'msgsite.products_id_seq',
  lastAnnouncementId: 'msgsite.announcements_id_seq',
} as const;

/** The site's records in PostgreSQL. */
export const postgresSiteRecords: readonly PostgresRecords[] = [
  {
    kind: 'site-settings',
    async *read(sql) {
      const rows = await sql<{ settings: Settings | null }[]>`
        select settings from msgsite.site`;
      yield* rows.map(({ settings }) => settings ?? defaultSettings);
    },
    // The version is incremented so that the site is not filled with initial content.
    insert: async (sql, [settings]) => {
      if (!settings) return;
      const parameter = json(settings);
      await sql`update msgsite.site set settings = ${parameter}, version = version + 1`;
    },
    reset: async (sql) => sql`insert into msgsite.site default values`,
  },
  {
    kind: 'shop',
    async *read(sql) {
      const rows = await sql<{ shop: Shop | null }[]>`select shop from msgsite.site`;
      yield* rows.flatMap(({ shop }) => shopRecords(shop ?? defaultShop));
    },
    insert: async (sql, [shop]) => {
      if (shop) await sql`update msgsite.site set shop = ${json(shop)}`;
    },
  },
  tableRecords<Product, Product>({
    kind: 'product',
    table: 'msgsite.products',
    select: (sql) => sql`select * from msgsite.products order by id`,
    toRecord: (product) => product,
    toRow,
  }),
  tableRecords<Announcement, Announcement>({
    kind: 'announcement',
    table: 'msgsite.announcements',
    select: (sql) => sql`select * from msgsite.announcements order by id`,
    toRecord: (announcement) => announcement,
    toRow: (announcement) => announcement,
  }),
  tableRecords<DeletedProduct, DeletedProduct>({
    kind: 'deleted-product',
    table: 'msgsite.deleted_products',
    select: (sql) => sql`select deleted_at, was from msgsite.deleted_products order by id`,
    toRecord: deletedRecord,
    toRow: deletedRow,
  }),
  tableRecords<DeletedAnnouncement, DeletedAnnouncement>({
    kind: 'deleted-announcement',
    table: 'msgsite.deleted_announcements',
    select: (sql) => sql`select deleted_at, was from msgsite.deleted_announcements order by id`,
    toRecord: deletedRecord,
    toRow: deletedRow,
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

function deletedRecord<Deleted extends { readonly deletedAt: string }>(row: Deleted): Deleted {
  return { ...row, deletedAt: new Date(row.deletedAt).toISOString() };
}

function deletedRow({ deletedAt, was }: DeletedProduct | DeletedAnnouncement): object {
  return { id: was.id, deletedAt, was: json(was) };
}
