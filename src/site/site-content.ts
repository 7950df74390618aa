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
 * Everything that can be done with the site's content. Unknown ids are `not_found`; restoring what is there is
 * `conflict`. An `assert` is called with what is stored, within the change, and rejects it by throwing.
 */
export function createSiteContent({ store, clock }: { store: SiteStore; clock: Clock }) {
  return {
    products: thingsOf(store.products, 'product', completeProduct),
    /** Takes a CSV in, all of it or nothing. */
    importProducts: (options: ImportOptions) => importProducts(store, options),
    /** Every product as CSV. */
    exportProducts: async () => writeProducts(await store.products.list()),
    announcements: thingsOf(store.announcements, 'announcement', (given: NewAnnouncement) =>
      completeAnnouncement(given, clock.now()),
    ),
    async listActiveAnnouncements() {
      return (await store.announcements.list()).filter(({ active }) => active);
    },

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
  for (const product of starting.products) await content.products.create(product);
  for (const announcement of starting.announcements)
    await content.announcements.create(announcement);
}

/** Everything that can be done with the products, or with the announcements. `complete` fills the fields of a new one. */
function thingsOf<Thing extends { readonly id: number }, New, Given>(
  store: ThingStore<Thing, New>,
  kind: string,
  complete: (given: Given) => New,
) {
  return {
    list: () => store.list(),
    read: async (id: number) => found(await store.find(id), kind, id),
    create: (given: Given) => store.add(complete(given)),
    change: async (id: number, changes: Partial<Thing>, assert?: Assert<Thing>) =>
      found(await store.change(id, withoutId(id, changes), assert), kind, id),
    async remove(id: number) {
      found((await store.remove(id)) || undefined, kind, id);
    },
    restore: async (id: number) => restored(await store.restore(id), kind, id),
    /** Those that can be restored. */
    listDeleted: () => store.listDeleted(),
  };
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
function withoutId<Thing extends { readonly id: number }>(
  id: number,
  changes: Partial<Thing>,
): Partial<Thing> {
  const { id: repeated = id, ...fields } = changes;
  if (repeated !== id) throw invalid('/id', `must be ${id}, the id in the path, or be left out`);
  if (Object.keys(fields).length === 0)
    throw invalid('', 'must name at least one property to change');
  return fields as Partial<Thing>; // Only the ID was left out.
}

function invalid(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The body has values that are not allowed.', {
    details: [{ path, message }],
  });
}
