import type {
  Announcement,
  NewAnnouncement,
  NewProduct,
  Product,
  Settings,
  Shop,
} from '#validators/site';
import { mediaNamesIn } from '../images/media.js';

export const defaultSettings: Settings = {
  heroTitle: '',
  heroSubtitle: '',
  theme: 'light',
};

export const defaultShop: Shop = {
  name: '',
  phone: '',
  whatsapp: '',
  address: '',
  hours: '',
  language: 'en',
  map: '',
};

/** Fills in default values for a new product. The store assigns `id` and `order`. */
export function completeProduct(product: NewProduct): Omit<Product, 'id' | 'order'> {
  const texts = { name: '', tagline: '', description: '' };
  return { ...texts, price: 0, image: '', features: [], category: '', ...product };
}

/** Fills in default values for a new announcement. The default date is the day of `now`, in milliseconds. */
export function completeAnnouncement(
  announcement: NewAnnouncement,
  now: number,
): Omit<Announcement, 'id'> {
  const date = new Date(now).toISOString().slice(0, 10);
  const empty = { title: '', date, content: '', active: true };
  return { ...empty, ...announcement };
}

/** Compares products by their position in the catalogue. */
export function byOrder(a: Product, b: Product): number {
  return a.order - b.order || a.id - b.id;
}

/**
 * Returns the time of an announcement's date, in milliseconds. Handles two ISO 8601 forms that `Date.parse` does not
 * support: an offset in whole hours (`T10:00:00+05`) and a leap second (`23:59:60`).
 */
export function momentOf(date: string): number {
  return Date.parse(date.replace(':60', ':59').replace(wholeHours, '$1:00'));
}

const wholeHours = /(:\d\d(?:\.\d+)?[+-]\d\d)$/;

/** Compares announcements: newest date first. For the same date, the one added last comes first. */
export function byNewestDate(a: Announcement, b: Announcement): number {
  return momentOf(b.date) - momentOf(a.date) || b.id - a.id;
}

/** Content that can refer to pictures. */
interface Content {
  readonly products: readonly { readonly image: string; readonly description: string }[];
  readonly announcements: readonly { readonly content: string }[];
}

/** Returns the names of the pictures that the site's content refers to. */
export function imagesIn({ products, announcements }: Content): ReadonlySet<string> {
  const texts = [
    ...products.flatMap(({ image, description }) => [image, description]),
    ...announcements.map(({ content }) => content),
  ];
  return new Set(texts.flatMap(mediaNamesIn));
}

/** Maximum number of deleted products, and of deleted announcements, that are stored. The oldest are removed first. */
export const maxDeleted = 1_000;

export interface DeletedOptions {
  /** Time for which a deleted item can be restored, in milliseconds. Can be Infinity. */
  readonly keepDeletedMs: number;
}

/** Returns true if an item deleted at `deletedAt` (ISO 8601) can still be restored at `now` (milliseconds). */
export function isRestorable(
  { deletedAt }: { readonly deletedAt: string },
  { now, keepDeletedMs }: DeletedOptions & { readonly now: number },
): boolean {
  return Date.parse(deletedAt) > now - keepDeletedMs;
}
