import type {
  AnnouncementChanges,
  NewAnnouncement,
  NewProduct,
  ProductChanges,
  Settings,
  SettingsChanges,
} from '#validators/site';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { completeAnnouncement, completeProduct } from './content.js';
import type { SiteStore } from './store.js';

export type SiteContent = ReturnType<typeof createSiteContent>;

/** Everything that can be done with the site's content. Unknown ids are `not_found`. */
export function createSiteContent({ store, clock }: { store: SiteStore; clock: Clock }) {
  return {
    listProducts: () => store.listProducts(),
    readProduct: async (id: number) => found(await store.findProduct(id), 'product', id),
    createProduct: (given: NewProduct) => store.addProduct(completeProduct(given)),
    async changeProduct(id: number, changes: ProductChanges) {
      return found(await store.changeProduct(id, withoutId(id, changes)), 'product', id);
    },
    async deleteProduct(id: number) {
      found((await store.removeProduct(id)) || undefined, 'product', id);
    },

    listAnnouncements: () => store.listAnnouncements(),
    async listActiveAnnouncements() {
      return (await store.listAnnouncements()).filter(({ active }) => active);
    },
    createAnnouncement: (given: NewAnnouncement) =>
      store.addAnnouncement(completeAnnouncement(given, clock.now())),
    async changeAnnouncement(id: number, changes: AnnouncementChanges) {
      return found(await store.changeAnnouncement(id, withoutId(id, changes)), 'announcement', id);
    },
    async deleteAnnouncement(id: number) {
      found((await store.removeAnnouncement(id)) || undefined, 'announcement', id);
    },

    readSettings: () => store.readSettings(),
    changeSettings: (changes: SettingsChanges) => store.changeSettings(changes),
    /** Calls `listener` when anything may have changed, here or by another process. */
    onChange: (listener: () => void) => store.onChange(listener),
  };
}

/** Content to start with, in the order in which it is to be shown. */
export interface StartingContent {
  readonly products: readonly NewProduct[];
  readonly announcements: readonly NewAnnouncement[];
  readonly settings: Settings;
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
