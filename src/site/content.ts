/** A product of the catalogue. Prices are in tenge. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly tagline: string;
  readonly description: string;
  readonly price: number;
  /** An http or https URL, a path on this site, or empty. */
  readonly image: string;
  readonly features: readonly string[];
  readonly category: string;
  /** Place in the list: lower comes first, ties by id. */
  readonly order: number;
}

export interface Announcement {
  readonly id: number;
  readonly title: string;
  /** ISO 8601 date or date-time, as it was given. */
  readonly date: string;
  readonly content: string;
  /** Only active ones are listed publicly. */
  readonly active: boolean;
}

export interface SiteSettings {
  readonly heroTitle: string;
  readonly heroSubtitle: string;
  readonly theme: 'dark' | 'light';
}

/** What a product needs to be created: the rest has empty defaults. */
export type NewProduct = Pick<Product, 'name'> & Partial<Omit<Product, 'id' | 'name' | 'order'>>;
export type NewAnnouncement = Pick<Announcement, 'title'> &
  Partial<Omit<Announcement, 'id' | 'title'>>;

/** Fields to change. A read-only `id` may stand among them where it is the right one. */
export type ProductChanges = Partial<Product>;
export type AnnouncementChanges = Partial<Announcement>;
export type SettingsChanges = Partial<SiteSettings>;

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
