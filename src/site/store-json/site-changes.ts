import type { Announcement, Product } from '#validators/site';
import type { SiteDocument } from '#validators/site-document';
import type { DeletedOptions } from '../content.js';
import { isRestorable, maxDeleted } from '../content.js';
import type { Assert, ProductImport, Restored } from '../store.js';

/** The document after a change, and the result of the change. */
export interface SiteChange<Result> {
  /** The same object if nothing changed. */
  readonly site: SiteDocument;
  readonly result: Result;
}

/** The lists of deleted items, sorted by deletion time. */
const deletedOf = { products: 'deletedProducts', announcements: 'deletedAnnouncements' } as const;

export type ThingKind = keyof typeof deletedOf;
export type ThingOf<Kind extends ThingKind> = SiteDocument[Kind][number];

type Time = DeletedOptions & { readonly now: number };

/** Returns the present and the deleted items of a kind. */
export function thingsOf<Kind extends ThingKind>(site: SiteDocument, kind: Kind) {
  // Both lists contain items of this kind, which TypeScript cannot infer for a generic kind.
  return { list: site[kind], deleted: site[deletedOf[kind]] } as unknown as {
    readonly list: readonly ThingOf<Kind>[];
    readonly deleted: readonly { readonly deletedAt: string; readonly was: ThingOf<Kind> }[];
  };
}

/** Changes fields of an item. The result is undefined if the ID is unknown. */
export function changeOne<Kind extends ThingKind>(
  site: SiteDocument,
  kind: Kind,
  id: number,
  changes: Partial<ThingOf<Kind>>,
  assert?: Assert<ThingOf<Kind>>,
): SiteChange<ThingOf<Kind> | undefined> {
  const { list } = thingsOf(site, kind);
  const found = list.find((item) => item.id === id);
  if (!found) return { site, result: undefined };
  assert?.(found);
  const result = { ...found, ...changes, id };
  const changed = list.map((item) => (item === found ? result : item));
  return { site: { ...site, [kind]: changed }, result };
}

/** Deletes an item. It can be restored for a limited time. `now` is in milliseconds. */
export function removeOne(
  site: SiteDocument,
  kind: ThingKind,
  id: number,
  now: number,
): SiteChange<boolean> {
  const { list, deleted } = thingsOf(site, kind);
  const was = list.find((item) => item.id === id);
  if (!was) return { site, result: false };
  const all = [...deleted, { deletedAt: new Date(now).toISOString(), was }];
  const left = list.filter((item) => item !== was);
  return {
    site: { ...site, [kind]: left, [deletedOf[kind]]: all.slice(-maxDeleted) },
    result: true,
  };
}

/** Restores a deleted item. */
export function restoreOne<Kind extends ThingKind>(
  site: SiteDocument,
  kind: Kind,
  id: number,
  time: Time,
): SiteChange<Restored<ThingOf<Kind>>> {
  const { list, deleted } = thingsOf(site, kind);
  if (list.some((item) => item.id === id)) return { site, result: 'present' };
  const found = deleted.find(({ was }) => was.id === id);
  if (!found || !isRestorable(found, time)) return { site, result: 'unknown' };
  const left = deleted.filter((each) => each !== found);
  return {
    site: { ...site, [kind]: [...list, found.was], [deletedOf[kind]]: left },
    result: { restored: found.was },
  };
}

/** Removes deleted items that can no longer be restored. */
export function sweepSite(site: SiteDocument, time: Time): SiteChange<undefined> {
  let swept = site;
  for (const name of Object.values(deletedOf)) {
    const left = site[name].filter((each) => isRestorable(each, time));
    if (left.length < site[name].length) swept = { ...swept, [name]: left };
  }
  return { site: swept, result: undefined };
}

/** Adds products after the last one, with new IDs. */
function addProducts(
  site: SiteDocument,
  added: readonly Omit<Product, 'id' | 'order'>[],
): SiteDocument {
  const highest = site.products.reduce((max, { order }) => Math.max(max, order), 0);
  const products = added.map((fields, index) => ({
    id: site.lastProductId + index + 1,
    ...fields,
    order: highest + index + 1,
  }));
  const lastProductId = site.lastProductId + added.length;
  return { ...site, products: [...site.products, ...products], lastProductId };
}

/** Adds a product after the last one, with a new ID. */
export function addProduct(
  site: SiteDocument,
  fields: Omit<Product, 'id' | 'order'>,
): SiteChange<Product> {
  const changed = addProducts(site, [fields]);
  return { site: changed, result: changed.products.at(-1) as Product }; // It was just added.
}

/** Adds an announcement with a new ID. */
export function addAnnouncement(
  site: SiteDocument,
  fields: Omit<Announcement, 'id'>,
): SiteChange<Announcement> {
  const result = { id: site.lastAnnouncementId + 1, ...fields };
  const announcements = [...site.announcements, result];
  return { site: { ...site, announcements, lastAnnouncementId: result.id }, result };
}

/** Applies an import: changes products, and adds new ones. */
export function importProducts<Plan extends ProductImport>(
  site: SiteDocument,
  plan: Plan,
): SiteChange<Plan> {
  if (plan.added.length + plan.changed.length === 0) return { site, result: plan };
  const byId = new Map(plan.changed.map((product) => [product.id, product]));
  const products = site.products.map((product) => byId.get(product.id) ?? product);
  return { site: addProducts({ ...site, products }, plan.added), result: plan };
}

/** Changes fields of the settings or the shop details. */
export function changeSingle<Name extends 'siteSettings' | 'shop'>(
  site: SiteDocument,
  name: Name,
  changes: Partial<SiteDocument[Name]>,
  assert?: Assert<SiteDocument[Name]>,
): SiteChange<SiteDocument[Name]> {
  assert?.(site[name]);
  const result = { ...site[name], ...changes };
  return { site: { ...site, [name]: result }, result };
}
