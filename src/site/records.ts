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
/** Orders records of a kind that has at most one. */
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
}

/** Returns a kind with any number of records. */
function listKind<Item extends Numbered | { readonly was: Numbered }>(given: ListKind<Item>) {
  const { kind, list, validate, compare } = given;
  return {
    kind,
    list,
    isRecord: (record: unknown) => validate(record),
    /** Returns a check of one record; `note` finds errors that need the other things of this kind. */
    checkWith: (note: (thing: Numbered) => string | undefined) =>
      checkBy(validate, rising(compare), (item) => note('was' in item ? item.was : item)),
    /** Returns the sorted records of an export. The items must have been validated. */
    toRecords: (items: readonly unknown[]) => [...(items as readonly Item[])].sort(compare),
  };
}

/** The kinds with any number of records, in the order of exports. */
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

/** Returns the kinds of record in an export of the site, in its order. */
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

/** Checks that no ID is used twice, by present and deleted things of one kind. */
function thingChecks() {
  const ids = new Set<number>();
  let lastId = 0;
  return {
    note({ id }: Numbered) {
      lastId = Math.max(lastId, id);
      if (ids.has(id)) return 'is also there undeleted';
      ids.add(id);
      return undefined;
    },
    lastId: () => lastId,
  };
}

/** Returns the record of the shop's details; none while they are the default ones. */
export function shopRecords(shop: Shop): readonly Shop[] {
  return isDeepStrictEqual(shop, defaultShop) ? [] : [shop];
}
