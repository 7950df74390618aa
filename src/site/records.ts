import { isDeepStrictEqual } from 'node:util';
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
/** Compares records of a kind that has at most one record. */
const single = () => 0;

/** The lists in the site's document. */
export type SiteListName =
  | 'products'
  | 'announcements'
  | 'deletedProducts'
  | 'deletedAnnouncements';

interface ListKind<Item> {
  /** The kind's name in exports and in the site's file. */
  readonly kind: string;
  readonly list: SiteListName;
  readonly validate: Validator<Item>;
  compare(a: Item, b: Item): number;
}

/** Returns a kind that can have many records. */
function listKind<Item extends Numbered | { readonly was: Numbered }>({
  kind,
  list,
  validate,
  compare,
}: ListKind<Item>) {
  return {
    kind,
    list,
    isRecord: (record: unknown) => validate(record),
    /** Returns a check of single records. `note` finds errors that concern several records of this kind. */
    checkWith: (note: (item: Numbered) => string | undefined) =>
      checkBy(validate, rising(compare), (item) => note('was' in item ? item.was : item)),
    /** Returns the sorted records of an export. The items must have been validated. */
    toRecords: (items: readonly unknown[]) => [...(items as readonly Item[])].sort(compare),
  };
}

/** The kinds that can have many records, in export order. */
export const siteLists = [
  listKind({ kind: 'product', list: 'products', validate: Product, compare: byId }),
  listKind({ kind: 'announcement', list: 'announcements', validate: Announcement, compare: byId }),
  listKind({
    ...{ kind: 'deleted-product', list: 'deletedProducts' },
    ...{ validate: DeletedProduct, compare: byIdOfWas },
  }),
  listKind({
    ...{ kind: 'deleted-announcement', list: 'deletedAnnouncements' },
    ...{ validate: DeletedAnnouncement, compare: byIdOfWas },
  }),
];

/** Returns the kinds of records in an export of the site, in export order. */
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
          ? 'must not be below the highest ID in use'
          : undefined,
      ),
    },
  ];
}

/** Returns a check that no two items of a kind, including deleted ones, have the same ID. */
function thingChecks() {
  const ids = new Set<number>();
  let lastId = 0;
  return {
    note({ id }: Numbered) {
      lastId = Math.max(lastId, id);
      if (ids.has(id)) return 'has the ID of an item that is not deleted';
      ids.add(id);
      return undefined;
    },
    lastId: () => lastId,
  };
}

/** Returns the shop's details as a record. Default details have no record. */
export function shopRecords(shop: Shop): readonly Shop[] {
  return isDeepStrictEqual(shop, defaultShop) ? [] : [shop];
}
