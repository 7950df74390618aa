import type { Settings, Shop } from '#validators/site';
import { json, type Sql, type TransactionSql } from '../../storage/postgres/sql.js';
import { defaultSettings, defaultShop } from '../content.js';
import type { Assert } from '../store.js';

/** The settings and the shop's card: of each there is one, in the row of the site. */

export async function readSettings(sql: Sql): Promise<Settings> {
  const [row] = await sql<{ settings: Settings | null }[]>`select settings from msgsite.site`;
  return row?.settings ?? defaultSettings;
}

export async function changeSettings(
  sql: TransactionSql,
  changes: Partial<Settings>,
  assert?: Assert<Settings>,
): Promise<Settings> {
  const current = await readSettings(sql);
  assert?.(current);
  const settings = { ...current, ...changes };
  await sql`update msgsite.site set settings = ${json(settings)}`;
  return settings;
}

export async function readShop(sql: Sql): Promise<Shop> {
  const [row] = await sql<{ shop: Shop | null }[]>`select shop from msgsite.site`;
  return row?.shop ?? defaultShop;
}

export async function changeShop(
  sql: TransactionSql,
  changes: Partial<Shop>,
  assert?: Assert<Shop>,
): Promise<Shop> {
  const current = await readShop(sql);
  assert?.(current);
  const shop = { ...current, ...changes };
  await sql`update msgsite.site set shop = ${json(shop)}`;
  return shop;
}
