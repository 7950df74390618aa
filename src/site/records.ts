import { Announcement, Product, Settings, Shop } from '#validators/site';
import { DeletedAnnouncement, DeletedProduct, SiteIds } from '#validators/site-document';
import { checkBy, type RecordKind, rising, type Validator } from '../base/records.js';
import { defaultShop } from './content.js';

interface Numbered {
  readonly id: number;
}

const byId = (a: Numbered, b: Numbered) => a.id - b.id;
const byIdOfWas = (a: { readonly was: Numbered }, b: { readonly was: Numbered }) =>
  byId(a.was, b.was);
/** There is one such record at most. */
const single = () => 0;

/** The lists of the site's document. */
export type SiteListName =
  | 'products'
  | 'announcements'
  | 'deletedProducts'
  | 'deletedAnnouncements';

interface ListKind<Item> {
  /** Its name in exports, and in the lines of the site's file. */
  readonly kind: string;
  readonly list: SiteListName;
  readonly validate: Validator<Item>;
  compare(a: Item, b: Item): number;
  /** Returns a record with its fields in the order of exports. */
  toRecord(item: Item): Item & object;
}

/** Returns a kind of which there may be many records. */
function listKind<Item extends Numbered | { readonly was: Numbered }>(given: ListKind<Item>) {
  const { kind, list, validate, compare, toRecord } = given;
  return {
    kind,
    list,
    isRecord: (record: unknown) => validate(record),
    /** Returns a check with what holds for the things of this kind together. */
    checkWith: (note: (thing: Numbered) => string | undefined) =>
      checkBy(validate, rising(compare), (item) => note('was' in item ? item.was : item)),
    /** Returns the records of an export. The items must have been validated. */
    toRecords: (items: readonly unknown[]) =>
      [...(items as readonly Item[])].sort(compare).map(toRecord),
  };
}

/** The kinds of which there may be many records, in the order of exports. */
export const siteLists = [
  listKind({
    ...{ kind: 'product', list: 'products', validate: Product },
    ...{ compare: byId, toRecord: productRecord },
  }),
  listKind({
    ...{ kind: 'announcement', list: 'announcements', validate: Announcement },
    ...{ compare: byId, toRecord: announcementRecord },
  }),
  listKind({
    ...{ kind: 'deleted-product', list: 'deletedProducts', validate: DeletedProduct },
    ...{ compare: byIdOfWas, toRecord: deletedProductRecord },
  }),
  listKind({
    ...{ kind: 'deleted-announcement', list: 'deletedAnnouncements' },
    ...{ validate: DeletedAnnouncement, compare: byIdOfWas, toRecord: deletedAnnouncementRecord },
  }),
];

/** What the site puts into an export, in this order. */
export function siteKinds(): readonly RecordKind[] {
  const products = thingChecks();
  const announcements = thingChecks();
  return [
    { name: 'site-settings', check: checkBy(Settings, rising(single)) },
    { name: 'shop', check: checkBy(Shop, rising(single)) },
    ...siteLists.map(({ kind, checkWith }) => ({
      name: kind,
      check: checkWith(kind.endsWith('product') ? products.note : announcements.note),
    })),
    {
      name: 'site-ids',
      check: checkBy(SiteIds, rising(single), (ids) =>
        ids.lastProductId < products.lastId() || ids.lastAnnouncementId < announcements.lastId()
          ? 'must not be below the highest ids there are'
          : undefined,
      ),
    },
  ];
}

/** What holds for the things of one kind together with the deleted ones: no id is given twice. */
function thingChecks() {
  const ids = new Set<number>();
  let lastId = 0;
  return {
    note({ id }: Numbered) {
      lastId = Math.max(lastId, id);
      if (ids.has(id)) return 'is there, too, and not deleted';
      ids.add(id);
      return undefined;
    },
    lastId: () => lastId,
  };
}

/** Settings with their fields in the order of exports, whichever storage they come from. */
export function settingsRecord({ heroTitle, heroSubtitle, theme }: Settings): Settings {
  return { heroTitle, heroSubtitle, theme };
}

/** The shop's card with its fields in the order of exports; none where nobody has filled it in. */
export function shopRecords(shop: Shop): readonly Shop[] {
  const { name, phone, whatsapp, address, hours, language, map } = shop;
  const record = { name, phone, whatsapp, address, hours, language, map };
  return JSON.stringify(record) === JSON.stringify(defaultShop) ? [] : [record];
}

/** A product with its fields in the order of exports. */
export function productRecord(product: Product): Product {
  const { id, name, tagline, description, price, image, features, category, order } = product;
  return { id, name, tagline, description, price, image, features, category, order };
}

/** An announcement with its fields in the order of exports. */
export function announcementRecord(announcement: Announcement): Announcement {
  const { id, title, date, content, active } = announcement;
  return { id, title, date, content, active };
}

/** A deleted product with its fields in the order of exports. */
export function deletedProductRecord({ deletedAt, was }: DeletedProduct): DeletedProduct {
  return { deletedAt: new Date(deletedAt).toISOString(), was: productRecord(was) };
}

/** A deleted announcement with its fields in the order of exports. */
export function deletedAnnouncementRecord(deleted: DeletedAnnouncement): DeletedAnnouncement {
  const { deletedAt, was } = deleted;
  return { deletedAt: new Date(deletedAt).toISOString(), was: announcementRecord(was) };
}
