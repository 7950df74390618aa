import type {
  NewAnnouncement,
  NewProduct,
  Settings,
  SettingsChanges,
  Shop,
  ShopChanges,
} from '#validators/site';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { completeAnnouncement, completeProduct } from './content.js';
import { writeProducts } from './csv/cells.js';
import { type ImportOptions, importProducts } from './csv/import-products.js';
import type { Assert, Restored, SiteStore, ThingStore } from './store.js';

export type SiteContent = ReturnType<typeof createSiteContent>;

/**
 * Returns the operations on the site's content. They throw `not_found` for an unknown ID, and `conflict` for a restore
 * of an item that is not deleted. A change calls `assert` with the stored item. `assert` throws to reject the change.
 */
export function createSiteContent({ store, clock }: { store: SiteStore; clock: Clock }) {
  return {
    products: thingsOf(store.products, 'product', completeProduct),
    /** Imports all products in a CSV file, or none if it has errors. */
    importProducts: (options: ImportOptions) => importProducts(store, options),
    /** Returns all products as CSV. */
    exportProducts: async () => writeProducts(await store.products.list()),
    announcements: thingsOf(store.announcements, 'announcement', (announcement: NewAnnouncement) =>
      completeAnnouncement(announcement, clock.now()),
    ),
    async listActiveAnnouncements() {
      return (await store.announcements.list()).filter(({ active }) => active);
    },

    readSettings: () => store.readSettings(),
    changeSettings: (changes: SettingsChanges, assert?: Assert<Settings>) =>
      store.changeSettings(changes, assert),
    readShop: () => store.readShop(),
    changeShop: (changes: ShopChanges, assert?: Assert<Shop>) => store.changeShop(changes, assert),
    /** Calls `listener` when content may have changed, in this process or another. */
    onChange: (listener: () => void) => store.onChange(listener),
  };
}

/** Initial content in display order. */
export interface StartingContent {
  readonly products: readonly NewProduct[];
  readonly announcements: readonly NewAnnouncement[];
  readonly settings: Settings;
  readonly shop?: ShopChanges;
}

/** Fills an empty site with its initial content. */
export async function fillSite(content: SiteContent, starting: StartingContent): Promise<void> {
  await content.changeSettings(starting.settings);
  if (starting.shop) await content.changeShop(starting.shop);
  for (const product of starting.products) await content.products.create(product);
  for (const announcement of starting.announcements)
    await content.announcements.create(announcement);
}

/** Returns the operations on products or announcements. `complete` adds default values to a new item. */
function thingsOf<Thing extends { readonly id: number }, New, Fields>(
  store: ThingStore<Thing, New>,
  kind: string,
  complete: (fields: Fields) => New,
) {
  return {
    list: () => store.list(),
    read: async (id: number) => found(await store.find(id), kind, id),
    create: (fields: Fields) => store.add(complete(fields)),
    change: async (id: number, changes: Partial<Thing>, assert?: Assert<Thing>) =>
      found(await store.change(id, withoutId(id, changes), assert), kind, id),
    async remove(id: number) {
      found((await store.remove(id)) || undefined, kind, id);
    },
    restore: async (id: number) => restored(await store.restore(id), kind, id),
    /** Returns the items that can be restored. */
    listDeleted: () => store.listDeleted(),
  };
}

function found<Item>(item: Item | undefined, kind: string, id: number): Item {
  if (item === undefined) throw new AppError('not_found', `There is no ${kind} with ID ${id}.`);
  return item;
}

function restored<Item>(outcome: Restored<Item>, kind: string, id: number): Item {
  if (outcome === 'present') {
    throw new AppError('conflict', `The ${kind} with ID ${id} is not deleted.`);
  }
  return found(outcome === 'unknown' ? undefined : outcome.restored, kind, id);
}

/** Returns the changes without the ID. Clients that send whole objects include the ID, but cannot change it. */
function withoutId<Thing extends { readonly id: number }>(
  id: number,
  changes: Partial<Thing>,
): Partial<Thing> {
  const { id: repeated = id, ...fields } = changes;
  if (repeated !== id) throw invalid('/id', `must be ${id}, the ID in the path, or be omitted`);
  if (Object.keys(fields).length === 0)
    throw invalid('', 'must have at least one property to change');
  return fields as Partial<Thing>; // Only the ID was removed.
}

function invalid(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The body has values that are not allowed.', {
    details: [{ path, message }],
  });
}
