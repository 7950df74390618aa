import { Announcement, Product, Settings, Shop } from '#validators/site';
import { DeletedAnnouncement, DeletedProduct, SiteIds } from '#validators/site-document';
import { checkBy, type RecordKind, rising } from '../base/records.js';
import { defaultShop } from './content.js';

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;
const byIdOfWas = (
  a: { readonly was: { readonly id: number } },
  b: { readonly was: { readonly id: number } },
) => byId(a.was, b.was);
/** There is one such record at most. */
const single = () => 0;

/** What the site puts into an export, in this order. */
export function siteKinds(): readonly RecordKind[] {
  const products = thingChecks();
  const announcements = thingChecks();
  return [
    { name: 'site-settings', check: checkBy(Settings, rising(single)) },
    { name: 'shop', check: checkBy(Shop, rising(single)) },
    { name: 'product', check: checkBy(Product, rising(byId), products.note) },
    { name: 'announcement', check: checkBy(Announcement, rising(byId), announcements.note) },
    {
      name: 'deleted-product',
      check: checkBy(DeletedProduct, rising(byIdOfWas), products.noteDeleted),
    },
    {
      name: 'deleted-announcement',
      check: checkBy(DeletedAnnouncement, rising(byIdOfWas), announcements.noteDeleted),
    },
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
  const note = ({ id }: { readonly id: number }) => {
    lastId = Math.max(lastId, id);
    if (ids.has(id)) return 'is there, too, and not deleted';
    ids.add(id);
    return undefined;
  };
  return {
    note,
    noteDeleted: ({ was }: { readonly was: { readonly id: number } }) => note(was),
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
