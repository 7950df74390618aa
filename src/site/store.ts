import type { Announcement, Product, Settings, Shop } from '#validators/site';

/** Called with the stored thing within a change; rejects the change by throwing. */
export type Assert<Thing> = (current: Thing) => void;

/** The result of a restore: the restored thing, `present` if it is not deleted, or `unknown`. */
export type Restored<Thing> = { readonly restored: Thing } | 'present' | 'unknown';

/** The changes that an import makes to the catalogue. */
export interface ProductImport {
  /** New products, in the order in which they are added at the end. */
  readonly added: readonly Omit<Product, 'id' | 'order'>[];
  /** Changed products, with all their fields. */
  readonly changed: readonly Product[];
}

/** The store of the products, or of the announcements. */
export interface ThingStore<Thing, New> {
  list(): Promise<readonly Thing[]>;
  find(id: number): Promise<Thing | undefined>;
  /** Adds a thing, with an ID that was never used. */
  add(thing: New): Promise<Thing>;
  /** Returns the changed thing; undefined if there is no such ID. */
  change(id: number, changes: Partial<Thing>, assert?: Assert<Thing>): Promise<Thing | undefined>;
  /** Deletes a thing, which can be restored for a while; false if there is no such ID. */
  remove(id: number): Promise<boolean>;
  restore(id: number): Promise<Restored<Thing>>;
  /** Lists those that can be restored. */
  listDeleted(): Promise<readonly Thing[]>;
}

/**
 * The storage of the site. The promise of a change resolves once the change is durable. If the storage is unavailable,
 * it rejects with `storage_unavailable` and stores nothing.
 */
export interface SiteStore {
  /** Listed in catalogue order. A new product gets the highest order; a restored one keeps its own. */
  readonly products: ThingStore<Product, Omit<Product, 'id' | 'order'>>;
  /** Makes all changes that `decide` returns for the stored products in one change, or none if it throws. */
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
   * Calls `listener` when something may have changed: by this store, before the change's promise resolves, or
   * elsewhere.
   */
  onChange(listener: () => void): void;
}
