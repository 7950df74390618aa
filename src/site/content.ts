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

/** Completes a new product with default values; the store assigns `id` and `order`. */
export function completeProduct(given: NewProduct): Omit<Product, 'id' | 'order'> {
  const texts = { name: '', tagline: '', description: '' };
  return { ...texts, price: 0, image: '', features: [], category: '', ...given };
}

/** Completes a new announcement with default values; `now` in milliseconds gives the default date. */
export function completeAnnouncement(
  given: NewAnnouncement,
  now: number,
): Omit<Announcement, 'id'> {
  const date = new Date(now).toISOString().slice(0, 10);
  const empty = { title: '', date, content: '', active: true };
  return { ...empty, ...given };
}

/** Compares products by their place in the catalogue. */
export function byOrder(a: Product, b: Product): number {
  return a.order - b.order || a.id - b.id;
}

/**
 * Returns the time of an announcement's date, in milliseconds. Handles two forms of ISO 8601 that `Date.parse` does not
 * know: an offset of whole hours (`T10:00:00+05`) and a leap second (`23:59:60`).
 */
export function momentOf(date: string): number {
  return Date.parse(date.replace(':60', ':59').replace(wholeHours, '$1:00'));
}

const wholeHours = /(:\d\d(?:\.\d+)?[+-]\d\d)$/;

/** Compares announcements: newest date first; for the same date, the one added last. */
export function byNewestDate(a: Announcement, b: Announcement): number {
  return momentOf(b.date) - momentOf(a.date) || b.id - a.id;
}

/** Content that may refer to pictures. */
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

/** The most deleted products, and deleted announcements, that can be restored; the oldest are removed first. */
export const maxDeleted = 1_000;

export interface DeletedOptions {
  /** Milliseconds for which a deleted thing can be restored; may be Infinity. */
  readonly keepDeletedMs: number;
}

/** Returns true if a thing deleted at `deletedAt` (ISO 8601) can still be restored; `now` in milliseconds. */
export function isRestorable(
  { deletedAt }: { readonly deletedAt: string },
  { now, keepDeletedMs }: DeletedOptions & { readonly now: number },
): boolean {
  return Date.parse(deletedAt) > now - keepDeletedMs;
}
