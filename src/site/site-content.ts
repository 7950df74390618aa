import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import {
  type Announcement,
  type AnnouncementChanges,
  completeAnnouncement,
  completeProduct,
  type NewAnnouncement,
  type NewProduct,
  type Product,
  type ProductChanges,
  type SettingsChanges,
  type SiteSettings,
} from './content.js';
import type { SiteStore } from './store.js';

/** Everything that can be done with the site's content. Unknown ids are `not_found`. */
export interface SiteContent {
  listProducts(): Promise<readonly Product[]>;
  readProduct(id: number): Promise<Product>;
  createProduct(given: NewProduct): Promise<Product>;
  changeProduct(id: number, changes: ProductChanges): Promise<Product>;
  deleteProduct(id: number): Promise<void>;
  listAnnouncements(): Promise<readonly Announcement[]>;
  listActiveAnnouncements(): Promise<readonly Announcement[]>;
  createAnnouncement(given: NewAnnouncement): Promise<Announcement>;
  changeAnnouncement(id: number, changes: AnnouncementChanges): Promise<Announcement>;
  deleteAnnouncement(id: number): Promise<void>;
  readSettings(): Promise<SiteSettings>;
  changeSettings(changes: SettingsChanges): Promise<SiteSettings>;
  /** Calls `listener` when another process may have changed something; gives how to stop. */
  onOutsideChange(listener: () => void): () => void;
}

export interface SiteContentOptions {
  readonly store: SiteStore;
  readonly clock: Clock;
}

export function createSiteContent({ store, clock }: SiteContentOptions): SiteContent {
  return {
    listProducts: () => store.listProducts(),
    readProduct: async (id) => found(await store.findProduct(id), 'product', id),
    createProduct: (given) => store.addProduct(completeProduct(given)),
    async changeProduct(id, changes) {
      const fields = withoutId(id, changes);
      return found(await store.changeProduct(id, fields), 'product', id);
    },
    async deleteProduct(id) {
      found((await store.removeProduct(id)) || undefined, 'product', id);
    },

    listAnnouncements: () => store.listAnnouncements(),
    async listActiveAnnouncements() {
      return (await store.listAnnouncements()).filter(({ active }) => active);
    },
    createAnnouncement: (given) => store.addAnnouncement(completeAnnouncement(given, clock.now())),
    async changeAnnouncement(id, changes) {
      const fields = withoutId(id, changes);
      return found(await store.changeAnnouncement(id, fields), 'announcement', id);
    },
    async deleteAnnouncement(id) {
      found((await store.removeAnnouncement(id)) || undefined, 'announcement', id);
    },

    readSettings: () => store.readSettings(),
    changeSettings: (changes) => store.changeSettings(changes),
    onOutsideChange: (listener) => store.onOutsideChange(listener),
  };
}

/** Content to start with, in the order in which it is to be shown. */
export interface StartingContent {
  readonly products: readonly NewProduct[];
  readonly announcements: readonly NewAnnouncement[];
  readonly settings: SiteSettings;
}

/** Puts starting content into a site that has none. */
export async function fillSite(content: SiteContent, starting: StartingContent): Promise<void> {
  await content.changeSettings(starting.settings);
  for (const product of starting.products) await content.createProduct(product);
  for (const announcement of starting.announcements) await content.createAnnouncement(announcement);
}

function found<Item>(item: Item | undefined, kind: string, id: number): Item {
  if (item === undefined) throw new AppError('not_found', `There is no ${kind} with the id ${id}.`);
  return item;
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
