import type { Announcement, Product, Settings, Shop } from '#validators/site';

/**
 * Called with what is stored, within the change itself; what it throws rejects the change, and nothing of it is kept.
 */
export type Assert<Thing> = (current: Thing) => void;

/** What came of restoring: the thing as it was; that it was never deleted; that it is gone or never was. */
export type Restored<Thing> = { readonly restored: Thing } | 'present' | 'unknown';

/** What an import does to the catalogue. */
export interface ProductImport {
  /** In the order in which they are added at the end. */
  readonly added: readonly Omit<Product, 'id' | 'order'>[];
  /** Whole products, as they are to be. */
  readonly changed: readonly Product[];
}

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
  changeProduct(
    id: number,
    changes: Partial<Product>,
    assert?: Assert<Product>,
  ): Promise<Product | undefined>;
  /** It can be restored for a time; false where there is none. */
  removeProduct(id: number): Promise<boolean>;
  /** Puts back what was deleted, with its id and its order. */
  restoreProduct(id: number): Promise<Restored<Product>>;
  /** Those that can be restored. */
  listDeletedProducts(): Promise<readonly Product[]>;
  /** Does all that `decide` says of the products there are, in one change, or nothing where it throws. */
  importProducts<Plan extends ProductImport>(
    decide: (products: readonly Product[]) => Plan,
  ): Promise<Plan>;

  /** Newest date first, inactive ones included. */
  listAnnouncements(): Promise<readonly Announcement[]>;
  findAnnouncement(id: number): Promise<Announcement | undefined>;
  addAnnouncement(announcement: Omit<Announcement, 'id'>): Promise<Announcement>;
  changeAnnouncement(
    id: number,
    changes: Partial<Announcement>,
    assert?: Assert<Announcement>,
  ): Promise<Announcement | undefined>;
  removeAnnouncement(id: number): Promise<boolean>;
  restoreAnnouncement(id: number): Promise<Restored<Announcement>>;
  /** Those that can be restored. */
  listDeletedAnnouncements(): Promise<readonly Announcement[]>;

  readSettings(): Promise<Settings>;
  changeSettings(changes: Partial<Settings>, assert?: Assert<Settings>): Promise<Settings>;
  readShop(): Promise<Shop>;
  changeShop(changes: Partial<Shop>, assert?: Assert<Shop>): Promise<Shop>;

  /** Calls `listener` when something may have changed: by this store before its promise resolves, or elsewhere. */
  onChange(listener: () => void): void;
}
