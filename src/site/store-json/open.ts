import { dirname } from 'node:path';
import type { SiteDocument } from '#validators/site-document';
import type { Clock } from '../../base/clock.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { type Report, throwDamage } from '../../storage/json/check/data-checker.js';
import { setAside } from '../../storage/json/check/set-aside.js';
import { byNewestDate, byOrder } from '../content.js';
import { type DeletedOptions, isRestorable } from '../deleted.js';
import type { SiteStore } from '../store.js';
import { siteFile } from './document.js';
import { changeOne, removeOne, restoreOne } from './kept.js';
import {
  addAnnouncement,
  addProducts,
  changeSingle,
  importProducts,
  onAnnouncements,
  onProducts,
  type SiteChange,
  sweepSite,
} from './site-changes.js';

export interface JsonSiteOptions extends DeletedOptions {
  /** The file, in the data folder. */
  readonly path: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly files?: FileLayer;
  /** Told of damage that stops nothing but what is damaged: that is set aside, the rest is served. */
  onDamage?(...damage: Parameters<Report>): void;
  /** Replaces a file that has been lost by an empty site, and makes none that was never there. */
  readonly isRepair?: boolean;
}

export interface JsonSiteStore extends SiteStore {
  /** Removes for good what was deleted too long ago. */
  sweep(): Promise<void>;
}

/**
 * Site content in one document: it is small and read far more often than changed. `data_damaged` where its
 * file has been lost.
 */
export async function openJsonSiteStore(options: JsonSiteOptions): Promise<JsonSiteStore> {
  const { path, clock, keepDeletedMs, files = systemFiles, onDamage, isRepair = false } = options;
  const damaged: (Buffer | undefined)[] = [];
  const report: Report = (finding, bytes) => {
    onDamage?.(finding, bytes);
    damaged.push(finding.severity === 'error' ? bytes : undefined);
  };
  const file = siteFile(path, files, report);
  const read = await file.read(isRepair ? report : throwDamage);
  let current = read.site;
  for (const bytes of damaged) if (bytes?.length) await setAside(files, dirname(path), path, bytes);
  // Damage is reported once: it leaves the file.
  if (damaged.length > 0 || !(read.isKept || isRepair)) await file.make(current);
  const listeners: (() => void)[] = [];
  let lastChange: Promise<unknown> = Promise.resolve();

  /** Changes happen one after another; readers see the old document until the new one is on disk. */
  function change<Result>(decide: (site: SiteDocument) => SiteChange<Result>): Promise<Result> {
    const changed = lastChange.then(async () => {
      const { site, result } = decide(current);
      if (site === current) return result;
      await file.write(site);
      current = site;
      for (const listener of listeners) listener();
      return result;
    });
    // A change that failed has told its own caller and must not stop the ones behind it.
    lastChange = changed.catch(() => undefined);
    return changed;
  }

  const time = () => ({ now: clock.now(), keepDeletedMs });

  function restorable<Item>(
    deleted: readonly { readonly was: Item; readonly deletedAt: string }[],
  ): readonly Item[] {
    const now = time();
    return deleted.filter((each) => isRestorable(each, now)).map(({ was }) => was);
  }

  return {
    listProducts: async () => [...current.products].sort(byOrder),
    findProduct: async (id) => current.products.find((product) => product.id === id),
    async addProduct(fields) {
      const [product] = await change((site) => addProducts(site, [fields]));
      if (!product) throw new Error('The new product is gone.');
      return product;
    },
    changeProduct: (id, changes, assert) =>
      change((site) => onProducts(site, (kept) => changeOne(kept, { id, changes, assert }))),
    removeProduct: (id) =>
      change((site) => onProducts(site, (kept) => removeOne(kept, { id, ...time() }))),
    restoreProduct: (id) =>
      change((site) => onProducts(site, (kept) => restoreOne(kept, { id, ...time() }))),
    listDeletedProducts: async () => restorable(current.deletedProducts),
    importProducts: (decide) =>
      change((site) => importProducts(site, decide([...site.products].sort(byOrder)))),

    listAnnouncements: async () => [...current.announcements].sort(byNewestDate),
    findAnnouncement: async (id) => current.announcements.find((one) => one.id === id),
    addAnnouncement: (fields) => change((site) => addAnnouncement(site, fields)),
    changeAnnouncement: (id, changes, assert) =>
      change((site) => onAnnouncements(site, (kept) => changeOne(kept, { id, changes, assert }))),
    removeAnnouncement: (id) =>
      change((site) => onAnnouncements(site, (kept) => removeOne(kept, { id, ...time() }))),
    restoreAnnouncement: (id) =>
      change((site) => onAnnouncements(site, (kept) => restoreOne(kept, { id, ...time() }))),
    listDeletedAnnouncements: async () => restorable(current.deletedAnnouncements),

    readSettings: async () => current.siteSettings,
    changeSettings: (changes, assert) =>
      change((site) => changeSingle(site, 'siteSettings', { changes, assert })),
    readShop: async () => current.shop,
    changeShop: (changes, assert) =>
      change((site) => changeSingle(site, 'shop', { changes, assert })),

    // The data lock keeps every other process out.
    onChange: (listener) => void listeners.push(listener),
    sweep: () => change((site) => sweepSite(site, time())),
  };
}
