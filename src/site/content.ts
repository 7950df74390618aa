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
  heroTitle: 'Welcome',
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

/** A new product with every field filled; the store assigns `id` and `order`. */
export function completeProduct(given: NewProduct): Omit<Product, 'id' | 'order'> {
  const texts = { name: '', tagline: '', description: '' };
  return { ...texts, price: 0, image: '', features: [], category: '', ...given };
}

/** A new announcement with every field filled; `now` in milliseconds gives the default date. */
export function completeAnnouncement(
  given: NewAnnouncement,
  now: number,
): Omit<Announcement, 'id'> {
  const date = new Date(now).toISOString().slice(0, 10);
  const empty = { title: '', date, content: '', active: true };
  return { ...empty, ...given };
}

/** The order of the catalogue. */
export function byOrder(a: Product, b: Product): number {
  return a.order - b.order || a.id - b.id;
}

/**
 * The moment of an announcement's date, in milliseconds. Two things that ISO 8601 allows are unknown to `Date.parse`: an
 * offset of whole hours (`T10:00:00+05`), and the second that is put in now and then (`23:59:60`).
 */
export function momentOf(date: string): number {
  return Date.parse(date.replace(':60', ':59').replace(wholeHours, '$1:00'));
}

const wholeHours = /(:\d\d(?:\.\d+)?[+-]\d\d)$/;

/** Newest date first; of the same date, the one that was added last. */
export function byNewestDate(a: Announcement, b: Announcement): number {
  return momentOf(b.date) - momentOf(a.date) || b.id - a.id;
}

/** What may show a picture. */
interface Content {
  readonly products: readonly { readonly image: string; readonly description: string }[];
  readonly announcements: readonly { readonly content: string }[];
}

/** Names of the pictures that something on the site refers to. */
export function imagesIn({ products, announcements }: Content): ReadonlySet<string> {
  const texts = [
    ...products.flatMap(({ image, description }) => [image, description]),
    ...announcements.map(({ content }) => content),
  ];
  return new Set(texts.flatMap(mediaNamesIn));
}

/** How long, and how many of each kind, deleted things can be restored. */

/** The most deleted products, and announcements, that can be restored; the oldest are removed first. */
export const mostDeleted = 1_000;

export interface DeletedOptions {
  /** Milliseconds for which what was deleted can be restored; may be Infinity. */
  readonly keepDeletedMs: number;
}

/** Whether what was deleted then (ISO 8601) can still be restored; `now` in milliseconds. */
export function isRestorable(
  { deletedAt }: { readonly deletedAt: string },
  { now, keepDeletedMs }: DeletedOptions & { readonly now: number },
): boolean {
  return Date.parse(deletedAt) > now - keepDeletedMs;
}
