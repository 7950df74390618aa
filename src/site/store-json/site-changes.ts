import type { Announcement, Product } from '#validators/site';
import type { SiteDocument } from '#validators/site-document';
import type { DeletedOptions } from '../deleted.js';
import type { Assert, ProductImport } from '../store.js';
import { type Changed, type Kept, withoutExpired } from './kept.js';

/** pure: what changes do to the site's document. */

export interface SiteChange<Result> {
  /** The same object where nothing has changed. */
  readonly site: SiteDocument;
  readonly result: Result;
}

/** Applies a change of the products to the document. */
export function onProducts<Result>(
  site: SiteDocument,
  decide: (kept: Kept<Product>) => Changed<Product, Result>,
): SiteChange<Result> {
  const before = { list: site.products, deleted: site.deletedProducts };
  const { kept, result } = decide(before);
  if (kept === before) return { site, result };
  return { site: { ...site, products: kept.list, deletedProducts: kept.deleted }, result };
}

/** Applies a change of the announcements to the document. */
export function onAnnouncements<Result>(
  site: SiteDocument,
  decide: (kept: Kept<Announcement>) => Changed<Announcement, Result>,
): SiteChange<Result> {
  const before = { list: site.announcements, deleted: site.deletedAnnouncements };
  const { kept, result } = decide(before);
  if (kept === before) return { site, result };
  return {
    site: { ...site, announcements: kept.list, deletedAnnouncements: kept.deleted },
    result,
  };
}

/** Adds products behind the last; each has an id that was never used. */
export function addProducts(
  site: SiteDocument,
  added: readonly Omit<Product, 'id' | 'order'>[],
): SiteChange<readonly Product[]> {
  const highest = site.products.reduce((most, { order }) => Math.max(most, order), 0);
  const result = added.map((fields, index) => ({
    id: site.lastProductId + index + 1,
    ...fields,
    order: highest + index + 1,
  }));
  const lastProductId = site.lastProductId + added.length;
  return { site: { ...site, products: [...site.products, ...result], lastProductId }, result };
}

/** Adds an announcement with an id that was never used. */
export function addAnnouncement(
  site: SiteDocument,
  fields: Omit<Announcement, 'id'>,
): SiteChange<Announcement> {
  const result = { id: site.lastAnnouncementId + 1, ...fields };
  const announcements = [...site.announcements, result];
  return { site: { ...site, announcements, lastAnnouncementId: result.id }, result };
}

/** Changes the products that an import names and adds its new ones. */
export function importProducts<Plan extends ProductImport>(
  site: SiteDocument,
  plan: Plan,
): SiteChange<Plan> {
  if (plan.added.length + plan.changed.length === 0) return { site, result: plan };
  const byId = new Map(plan.changed.map((product) => [product.id, product]));
  const products = site.products.map((product) => byId.get(product.id) ?? product);
  return { site: addProducts({ ...site, products }, plan.added).site, result: plan };
}

/** Changes fields of what there is one of. */
export function changeSingle<Name extends 'siteSettings' | 'shop'>(
  site: SiteDocument,
  name: Name,
  {
    changes,
    assert,
  }: { changes: Partial<SiteDocument[Name]>; assert?: Assert<SiteDocument[Name]> | undefined },
): SiteChange<SiteDocument[Name]> {
  assert?.(site[name]);
  const result = { ...site[name], ...changes };
  return { site: { ...site, [name]: result }, result };
}

/** The document without what was deleted too long ago. */
export function sweepSite(
  site: SiteDocument,
  time: DeletedOptions & { readonly now: number },
): SiteChange<undefined> {
  const expire = <Item extends { readonly id: number }>(kept: Kept<Item>) => ({
    kept: withoutExpired(kept, time),
    result: undefined,
  });
  return onAnnouncements(onProducts(site, expire).site, expire);
}
