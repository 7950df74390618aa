import type { Announcement, Product, Settings, Shop } from '#validators/site';

/** Called with the stored item during a change. Rejects the change by throwing. */
export type Assert<Thing> = (current: Thing) => void;

/** The result of a restore: the restored item, `present` if the item is not deleted, or `unknown`. */
export type Restored<Thing> = { readonly restored: Thing } | 'present' | 'unknown';

/** The changes that an import makes to the catalogue. */
export interface ProductImport {
  /** New products, which are added at the end in this order. */
  readonly added: readonly Omit<Product, 'id' | 'order'>[];
  /** Changed products with all fields. */
  readonly changed: readonly Product[];
}

/** The store of products or announcements. */
export interface ThingStore<Thing, New> {
  list(): Promise<readonly Thing[]>;
  find(id: number): Promise<Thing | undefined>;
  /** Adds an item with an ID that was never used before. */
  add(thing: New): Promise<Thing>;
  /** Returns the changed item, or undefined if the ID is unknown. */
  change(id: number, changes: Partial<Thing>, assert?: Assert<Thing>): Promise<Thing | undefined>;
  /** Deletes an item, which can be restored for a limited time. Returns false if the ID is unknown. */
  remove(id: number): Promise<boolean>;
  restore(id: number): Promise<Restored<Thing>>;
  /** Lists the items that can be restored. */
  listDeleted(): Promise<readonly Thing[]>;
}

/**
 * The site's storage. The promise of a change resolves when the change is durable. If the storage is unavailable, it
 * rejects with `storage_unavailable` and nothing is stored.
 */
export interface SiteStore {
  /** Listed in catalogue order. A new product is added at the end. A restored product keeps its position. */
  readonly products: ThingStore<Product, Omit<Product, 'id' | 'order'>>;
  /** Applies all changes that `decide` returns for the stored products. If `decide` throws, nothing is changed. */
  importProducts<Plan extends ProductImport>(
    decide: (products: readonly Product[]) => Plan,
  ): Promise<Plan>;
  /** Listed newest first, including inactive ones. */
  readonly announcements: ThingStore<Announcement, Omit<Announcement, 'id'>>;

  readSettings(): Promise<Settings>;
  changeSettings(changes: Partial<Settings>, assert?: Assert<Settings>): Promise<Settings>;
  readShop(): Promise<Shop>;
  changeShop(changes: Partial<Shop>, assert?: Assert<Shop>): Promise<Shop>;

  /**
   * Calls `listener` when content may have changed. For a change by this store, it is called before the promise of the
   * change resolves.
   */
  onChange(listener: () => void): void;
}
