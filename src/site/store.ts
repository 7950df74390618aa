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

/** The products, or the announcements. Restoring puts back what was deleted, with its ID. */
export interface ThingStore<Thing, New> {
  list(): Promise<readonly Thing[]>;
  find(id: number): Promise<Thing | undefined>;
  /** Assigns an id never used before. */
  add(thing: New): Promise<Thing>;
  /** The whole changed thing; undefined where there is none. */
  change(id: number, changes: Partial<Thing>, assert?: Assert<Thing>): Promise<Thing | undefined>;
  /** It can be restored for a time; false where there is none. */
  remove(id: number): Promise<boolean>;
  restore(id: number): Promise<Restored<Thing>>;
  /** Those that can be restored. */
  listDeleted(): Promise<readonly Thing[]>;
}

/**
 * What the site feature needs of a storage. Every promise of a change resolves only when the change
 * is durable; a storage that cannot take it rejects with `storage_unavailable` and keeps nothing of it.
 */
export interface SiteStore {
  /** Listed in catalogue order. A new product comes after the highest order, a restored one has its own. */
  readonly products: ThingStore<Product, Omit<Product, 'id' | 'order'>>;
  /** Does all that `decide` says of the products there are, in one change, or nothing where it throws. */
  importProducts<Plan extends ProductImport>(
    decide: (products: readonly Product[]) => Plan,
  ): Promise<Plan>;
  /** Listed by date, the newest first, inactive ones included. */
  readonly announcements: ThingStore<Announcement, Omit<Announcement, 'id'>>;

  readSettings(): Promise<Settings>;
  changeSettings(changes: Partial<Settings>, assert?: Assert<Settings>): Promise<Settings>;
  readShop(): Promise<Shop>;
  changeShop(changes: Partial<Shop>, assert?: Assert<Shop>): Promise<Shop>;

  /** Calls `listener` when something may have changed: by this store before its promise resolves, or elsewhere. */
  onChange(listener: () => void): void;
}
