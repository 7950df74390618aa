import {
  Announcement as isAnnouncement,
  Product as isProduct,
  Settings as isSettings,
} from '#validators/site';
import { SiteIds as isSiteIds } from '#validators/site-document';
import { checkBy, type RecordKind, rising } from '../base/records.js';
import type { Announcement, Product, SiteSettings } from './content.js';

export type { SiteIds as SiteIdsRecord } from '#validators/site-document';

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;
/** There is one such record at most. */
const single = () => 0;

/** What the site puts into an export, in this order. */
export function siteKinds(): readonly RecordKind[] {
  let lastProductId = 0;
  let lastAnnouncementId = 0;
  return [
    { name: 'site-settings', check: checkBy(isSettings, rising(single)) },
    {
      name: 'product',
      check: checkBy(isProduct, rising(byId), ({ id }) => {
        lastProductId = id;
        return undefined;
      }),
    },
    {
      name: 'announcement',
      check: checkBy(isAnnouncement, rising(byId), ({ id }) => {
        lastAnnouncementId = id;
        return undefined;
      }),
    },
    {
      name: 'site-ids',
      check: checkBy(isSiteIds, rising(single), (ids) =>
        ids.lastProductId < lastProductId || ids.lastAnnouncementId < lastAnnouncementId
          ? 'must not be below the highest ids there are'
          : undefined,
      ),
    },
  ];
}

/** Settings with their fields in the order of exports, whichever storage they come from. */
export function settingsRecord({ heroTitle, heroSubtitle, theme }: SiteSettings): SiteSettings {
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
