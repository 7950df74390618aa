import type { Settings, Shop } from '#validators/site';
import { type AnySql, jsonParameter, type TransactionSql } from '../../storage/postgres/connect.js';
import { defaultSettings, defaultShop } from '../content.js';
import type { Assert } from '../store.js';

/** The settings and the shop's card: of each there is one, in the row of the site. */

export async function readSettings(sql: AnySql): Promise<Settings> {
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
  await sql`update msgsite.site set settings = ${jsonParameter(sql, settings)}`;
  return settings;
}

export async function readShop(sql: AnySql): Promise<Shop> {
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
  await sql`update msgsite.site set shop = ${jsonParameter(sql, shop)}`;
  return shop;
}
