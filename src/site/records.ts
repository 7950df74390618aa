import { Announcement, Product, Settings } from '#validators/site';
import { SiteIds } from '#validators/site-document';
import { checkBy, type RecordKind, rising } from '../base/records.js';

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;
/** There is one such record at most. */
const single = () => 0;

/** What the site puts into an export, in this order. */
export function siteKinds(): readonly RecordKind[] {
  let lastProductId = 0;
  let lastAnnouncementId = 0;
  return [
    { name: 'site-settings', check: checkBy(Settings, rising(single)) },
    {
      name: 'product',
      check: checkBy(Product, rising(byId), ({ id }) => {
        lastProductId = id;
        return undefined;
      }),
    },
    {
      name: 'announcement',
      check: checkBy(Announcement, rising(byId), ({ id }) => {
        lastAnnouncementId = id;
        return undefined;
      }),
    },
    {
      name: 'site-ids',
      check: checkBy(SiteIds, rising(single), (ids) =>
        ids.lastProductId < lastProductId || ids.lastAnnouncementId < lastAnnouncementId
          ? 'must not be below the highest ids there are'
          : undefined,
      ),
    },
  ];
}

/** Settings with their fields in the order of exports, whichever storage they come from. */
export function settingsRecord({ heroTitle, heroSubtitle, theme }: Settings): Settings {
  return { heroTitle, heroSubtitle, theme };
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
