import type { Announcement, Product, Settings, SettingsChanges } from '#validators/site';

/**
 * What the site feature needs of a storage. Every promise of a change resolves only when the change
 * is durable; a storage that cannot take it rejects with `storage_unavailable` and keeps nothing of it.
 */
export interface SiteStore {
  /** In catalogue order. */
  listProducts(): Promise<readonly Product[]>;
  findProduct(id: number): Promise<Product | undefined>;
  /** Assigns an id never used before and the order after the highest. */
  addProduct(product: Omit<Product, 'id' | 'order'>): Promise<Product>;
  /** The whole changed product; undefined where there is none. */
  changeProduct(id: number, changes: Partial<Product>): Promise<Product | undefined>;
  removeProduct(id: number): Promise<boolean>;

  /** Newest date first, inactive ones included. */
  listAnnouncements(): Promise<readonly Announcement[]>;
  addAnnouncement(announcement: Omit<Announcement, 'id'>): Promise<Announcement>;
  changeAnnouncement(id: number, changes: Partial<Announcement>): Promise<Announcement | undefined>;
  removeAnnouncement(id: number): Promise<boolean>;

  readSettings(): Promise<Settings>;
  changeSettings(changes: SettingsChanges): Promise<Settings>;

  /** Calls `listener` when something may have changed: by this store before its promise resolves, or elsewhere. */
  onChange(listener: () => void): void;
}
