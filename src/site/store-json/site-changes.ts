import type { Announcement, Product } from '#validators/site';
import type { SiteDocument } from '#validators/site-document';
import type { DeletedOptions } from '../content.js';
import { isRestorable, mostDeleted } from '../content.js';
import type { Assert, ProductImport, Restored } from '../store.js';

/** pure: what changes do to things of one kind and to those of them that were deleted. */

interface Thing {
  readonly id: number;
}

interface Deleted<Item> {
  /** ISO 8601. */
  readonly deletedAt: string;
  readonly was: Item;
}

/** The things of one kind; those deleted last are the last. */
export interface Kept<Item extends Thing> {
  readonly list: readonly Item[];
  readonly deleted: readonly Deleted<Item>[];
}

/** What there is after a change (the same object where nothing changed), and what the change gives. */
interface Changed<Item extends Thing, Result> {
  readonly kept: Kept<Item>;
  readonly result: Result;
}

/** Changes fields of a thing; undefined where there is none. */
export function changeOne<Item extends Thing>(
  kept: Kept<Item>,
  {
    id,
    changes,
    assert,
  }: { id: number; changes: Partial<Item>; assert?: Assert<Item> | undefined },
): Changed<Item, Item | undefined> {
  const found = kept.list.find((item) => item.id === id);
  if (!found) return { kept, result: undefined };
  assert?.(found);
  const changed = { ...found, ...changes, id };
  const list = kept.list.map((item) => (item === found ? changed : item));
  return { kept: { ...kept, list }, result: changed };
}

/** Deletes a thing, which is kept for a time; `now` in milliseconds. */
export function removeOne<Item extends Thing>(
  kept: Kept<Item>,
  { id, now }: { id: number; now: number },
): Changed<Item, boolean> {
  const was = kept.list.find((item) => item.id === id);
  if (!was) return { kept, result: false };
  const list = kept.list.filter((item) => item !== was);
  const all = [...kept.deleted, { deletedAt: new Date(now).toISOString(), was }];
  return { kept: { list, deleted: all.slice(-mostDeleted) }, result: true };
}

/** Puts back what was deleted. */
export function restoreOne<Item extends Thing>(
  kept: Kept<Item>,
  { id, ...time }: DeletedOptions & { readonly id: number; readonly now: number },
): Changed<Item, Restored<Item>> {
  if (kept.list.some((item) => item.id === id)) return { kept, result: 'present' };
  const found = kept.deleted.find(({ was }) => was.id === id);
  if (!found || !isRestorable(found, time)) return { kept, result: 'unknown' };
  const deleted = kept.deleted.filter((each) => each !== found);
  return { kept: { list: [...kept.list, found.was], deleted }, result: { restored: found.was } };
}

/** Leaves out what can be restored no longer; the same object where that is nothing. */
export function withoutExpired<Item extends Thing>(
  kept: Kept<Item>,
  time: DeletedOptions & { readonly now: number },
): Kept<Item> {
  const deleted = kept.deleted.filter((each) => isRestorable(each, time));
  return deleted.length === kept.deleted.length ? kept : { ...kept, deleted };
}

/** pure: what changes do to the site's document. */

export interface SiteChange<Result> {
  /** The same object where nothing has changed. */
  readonly site: SiteDocument;
  readonly result: Result;
}

/** Where the document keeps things of each kind that were deleted. */
const deletedOf = { products: 'deletedProducts', announcements: 'deletedAnnouncements' } as const;

export type ThingKind = keyof typeof deletedOf;
export type ThingOf<Kind extends ThingKind> = SiteDocument[Kind][number];

/** Returns the things of a kind, those that were deleted included. */
export function keptOf<Kind extends ThingKind>(site: SiteDocument, kind: Kind) {
  // Both lists hold things of this kind, which TypeScript cannot tell of a kind that is chosen later.
  return { list: site[kind], deleted: site[deletedOf[kind]] } as unknown as Kept<ThingOf<Kind>>;
}

/** Applies a change of the things of a kind to the document. */
export function onThings<Kind extends ThingKind, Result>(
  site: SiteDocument,
  kind: Kind,
  decide: (kept: Kept<ThingOf<Kind>>) => Changed<ThingOf<Kind>, Result>,
): SiteChange<Result> {
  const before = keptOf(site, kind);
  const { kept, result } = decide(before);
  if (kept === before) return { site, result };
  return { site: { ...site, [kind]: kept.list, [deletedOf[kind]]: kept.deleted }, result };
}

/** Adds products behind the last; each has an id that was never used. */
function addProducts(
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

/** Adds one product. */
export function addProduct(
  site: SiteDocument,
  fields: Omit<Product, 'id' | 'order'>,
): SiteChange<Product> {
  const { site: changed, result } = addProducts(site, [fields]);
  const [product] = result;
  if (!product) throw new Error('The new product is gone.');
  return { site: changed, result: product };
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
  return onThings(onThings(site, 'products', expire).site, 'announcements', expire);
}
