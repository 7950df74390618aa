import type {
  Announcement,
  NewAnnouncement,
  NewProduct,
  Product,
  Settings as SiteSettings,
} from '#validators/site';

export type {
  Announcement,
  AnnouncementChanges,
  NewAnnouncement,
  NewProduct,
  Product,
  ProductChanges,
  Settings as SiteSettings,
  SettingsChanges,
} from '#validators/site';

export const defaultSettings: SiteSettings = {
  heroTitle: 'Welcome',
  heroSubtitle: '',
  theme: 'light',
};

/** A new product with every field filled; the store assigns `id` and `order`. */
export function completeProduct(given: NewProduct): Omit<Product, 'id' | 'order'> {
  return {
    name: given.name,
    tagline: given.tagline ?? '',
    description: given.description ?? '',
    price: given.price ?? 0,
    image: given.image ?? '',
    features: given.features ?? [],
    category: given.category ?? '',
  };
}

/** A new announcement with every field filled; `now` in milliseconds gives the default date. */
export function completeAnnouncement(
  given: NewAnnouncement,
  now: number,
): Omit<Announcement, 'id'> {
  return {
    title: given.title,
    date: given.date ?? new Date(now).toISOString().slice(0, 10),
    content: given.content ?? '',
    active: given.active ?? true,
  };
}

/** The order of the catalogue. */
export function byOrder(a: Product, b: Product): number {
  return a.order - b.order || a.id - b.id;
}

/** Newest date first; of the same date, the one that was added last. */
export function byNewestDate(a: Announcement, b: Announcement): number {
  return Date.parse(b.date) - Date.parse(a.date) || b.id - a.id;
}
