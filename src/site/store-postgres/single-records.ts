import type { Settings, Shop } from '#validators/site';
import { identifier, json, type Sql, type TransactionSql } from '../../storage/postgres/sql.js';
import { defaultSettings, defaultShop } from '../content.js';
import type { Assert } from '../store.js';

/** The settings and the shop's card: of each there is one, in the row of the site. */

export async function readSettings(sql: Sql): Promise<Settings> {
  const [row] = await sql<{ settings: Settings | null }[]>`select settings from msgsite.site`;
  return row?.settings ?? defaultSettings;
}

export async function readShop(sql: Sql): Promise<Shop> {
  const [row] = await sql<{ shop: Shop | null }[]>`select shop from msgsite.site`;
  return row?.shop ?? defaultShop;
}

interface SingleChange<Thing> {
  readonly current: Thing;
  readonly changes: Partial<Thing>;
  readonly assert?: Assert<Thing> | undefined;
}

/** Stores changes of what one column of the site's row holds; returns all of it. */
export async function changeSingle<Thing extends object>(
  sql: TransactionSql,
  column: 'settings' | 'shop',
  { current, changes, assert }: SingleChange<Thing>,
): Promise<Thing> {
  assert?.(current);
  const changed = { ...current, ...changes };
  await sql`update msgsite.site set ${identifier(column)} = ${json(changed)}`;
  return changed;
}
