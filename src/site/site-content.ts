import type {
  Announcement,
  AnnouncementChanges,
  NewAnnouncement,
  NewProduct,
  Product,
  ProductChanges,
  Settings,
  SettingsChanges,
  Shop,
  ShopChanges,
} from '#validators/site';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { completeAnnouncement, completeProduct } from './content.js';
import { type ImportOptions, importProducts } from './csv/import-products.js';
import { writeProducts } from './csv/write-products.js';
import type { Assert, Restored, SiteStore } from './store.js';

export type SiteContent = ReturnType<typeof createSiteContent>;

/**
 * Everything that can be done with the site's content. Unknown ids are `not_found`; restoring what is there is
 * `conflict`. An `assert` is called with what is stored, within the change, and rejects it by throwing.
 */
export function createSiteContent({ store, clock }: { store: SiteStore; clock: Clock }) {
  return {
    listProducts: () => store.listProducts(),
    readProduct: async (id: number) => found(await store.findProduct(id), 'product', id),
    createProduct: (given: NewProduct) => store.addProduct(completeProduct(given)),
    async changeProduct(id: number, changes: ProductChanges, assert?: Assert<Product>) {
      return found(await store.changeProduct(id, withoutId(id, changes), assert), 'product', id);
    },
    async deleteProduct(id: number) {
      found((await store.removeProduct(id)) || undefined, 'product', id);
    },
    restoreProduct: async (id: number) => restored(await store.restoreProduct(id), 'product', id),
    /** Those that can be restored. */
    listDeletedProducts: () => store.listDeletedProducts(),
    listDeletedAnnouncements: () => store.listDeletedAnnouncements(),
    /** Takes a CSV in, all of it or nothing. */
    importProducts: (options: ImportOptions) => importProducts(store, options),
    /** Every product as CSV. */
    exportProducts: async () => writeProducts(await store.listProducts()),

    listAnnouncements: () => store.listAnnouncements(),
    async listActiveAnnouncements() {
      return (await store.listAnnouncements()).filter(({ active }) => active);
    },
    createAnnouncement: (given: NewAnnouncement) =>
      store.addAnnouncement(completeAnnouncement(given, clock.now())),
    readAnnouncement: async (id: number) =>
      found(await store.findAnnouncement(id), 'announcement', id),
    async changeAnnouncement(
      id: number,
      changes: AnnouncementChanges,
      assert?: Assert<Announcement>,
    ) {
      const changed = await store.changeAnnouncement(id, withoutId(id, changes), assert);
      return found(changed, 'announcement', id);
    },
    async deleteAnnouncement(id: number) {
      found((await store.removeAnnouncement(id)) || undefined, 'announcement', id);
    },
    restoreAnnouncement: async (id: number) =>
      restored(await store.restoreAnnouncement(id), 'announcement', id),

    readSettings: () => store.readSettings(),
    changeSettings: (changes: SettingsChanges, assert?: Assert<Settings>) =>
      store.changeSettings(changes, assert),
    readShop: () => store.readShop(),
    changeShop: (changes: ShopChanges, assert?: Assert<Shop>) => store.changeShop(changes, assert),
    /** Calls `listener` when anything may have changed, here or by another process. */
    onChange: (listener: () => void) => store.onChange(listener),
  };
}

/** Content to start with, in the order in which it is to be shown. */
export interface StartingContent {
  readonly products: readonly NewProduct[];
  readonly announcements: readonly NewAnnouncement[];
  readonly settings: Settings;
  readonly shop?: ShopChanges;
}

/** Puts starting content into a site that has none. */
export async function fillSite(content: SiteContent, starting: StartingContent): Promise<void> {
  await content.changeSettings(starting.settings);
  if (starting.shop) await content.changeShop(starting.shop);
  for (const product of starting.products) await content.createProduct(product);
  for (const announcement of starting.announcements) await content.createAnnouncement(announcement);
}

function found<Item>(item: Item | undefined, kind: string, id: number): Item {
  if (item === undefined) throw new AppError('not_found', `There is no ${kind} with the id ${id}.`);
  return item;
}

function restored<Item>(outcome: Restored<Item>, kind: string, id: number): Item {
  if (outcome === 'present') {
    throw new AppError('conflict', `The ${kind} with the id ${id} is not deleted.`);
  }
  return found(outcome === 'unknown' ? undefined : outcome.restored, kind, id);
}

/** The id cannot be changed: it may be repeated in the body, as clients that send whole objects do. */
function withoutId<Changes extends { readonly id?: number }>(
  id: number,
  changes: Changes,
): Omit<Changes, 'id'> {
  const { id: repeated = id, ...fields } = changes;
  if (repeated !== id) throw invalid('/id', `must be ${id}, the id in the path, or be left out`);
  if (Object.keys(fields).length === 0)
    throw invalid('', 'must name at least one property to change');
  return fields;
}

function invalid(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The body has values that are not allowed.', {
    details: [{ path, message }],
  });
}
