import { dirname } from 'node:path';
import type { Announcement, Product } from '#validators/site';
import type { SiteDocument } from '#validators/site-document';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { type Report, throwDamage } from '../../storage/json/check/data-checker.js';
import { setAside } from '../../storage/json/check/set-aside.js';
import { byNewestDate, byOrder } from '../content.js';
import type { SiteStore } from '../store.js';
import { siteFile } from './document.js';

export interface JsonSiteOptions {
  /** The file, in the data folder. */
  readonly path: string;
  readonly files?: FileLayer;
  /** Told of damage that stops nothing but what is damaged: that is set aside, the rest is served. */
  onDamage?(...damage: Parameters<Report>): void;
  /** Replaces a file that has been lost by an empty site, and makes none that was never there. */
  readonly isRepair?: boolean;
}

/**
 * Site content in one document: it is small and read far more often than changed. `data_damaged` where its
 * file has been lost.
 */
export async function openJsonSiteStore(options: JsonSiteOptions): Promise<SiteStore> {
  const { path, files = systemFiles, onDamage, isRepair = false } = options;
  const damaged: (Buffer | undefined)[] = [];
  const report: Report = (finding, bytes) => {
    onDamage?.(finding, bytes);
    damaged.push(bytes);
  };
  const file = siteFile(path, files, report);
  let { site: current, isKept } = await file.read(isRepair ? report : throwDamage);
  for (const bytes of damaged) if (bytes?.length) await setAside(files, dirname(path), path, bytes);
  // Damage is reported once: it leaves the file.
  if (damaged.length > 0 || !(isKept || isRepair)) await file.make(current);
  const listeners: (() => void)[] = [];
  let lastChange: Promise<unknown> = Promise.resolve();

  /** Changes happen one after another; readers see the old document until the new one is on disk. */
  function change<Result>(
    decide: (site: SiteDocument) => { site: SiteDocument; result: Result },
  ): Promise<Result> {
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

  return {
    listProducts: async () => [...current.products].sort(byOrder),
    findProduct: async (id) => current.products.find((product) => product.id === id),
    addProduct: (fields) =>
      change((site) => {
        const id = site.lastProductId + 1;
        const highest = Math.max(0, ...site.products.map(({ order }) => order));
        const product: Product = { id, ...fields, order: highest + 1 };
        const products = [...site.products, product];
        return { site: { ...site, products, lastProductId: id }, result: product };
      }),
    changeProduct: (id, changes) =>
      change((site) => {
        const { list, changed } = replaceOne(site.products, id, changes);
        return { site: changed ? { ...site, products: list } : site, result: changed };
      }),
    removeProduct: (id) =>
      change((site) => {
        const products = site.products.filter((product) => product.id !== id);
        const found = products.length < site.products.length;
        return { site: found ? { ...site, products } : site, result: found };
      }),

    listAnnouncements: async () => [...current.announcements].sort(byNewestDate),
    addAnnouncement: (fields) =>
      change((site) => {
        const id = site.lastAnnouncementId + 1;
        const announcement: Announcement = { id, ...fields };
        const announcements = [...site.announcements, announcement];
        return { site: { ...site, announcements, lastAnnouncementId: id }, result: announcement };
      }),
    changeAnnouncement: (id, changes) =>
      change((site) => {
        const { list, changed } = replaceOne(site.announcements, id, changes);
        return { site: changed ? { ...site, announcements: list } : site, result: changed };
      }),
    removeAnnouncement: (id) =>
      change((site) => {
        const announcements = site.announcements.filter((one) => one.id !== id);
        const found = announcements.length < site.announcements.length;
        return { site: found ? { ...site, announcements } : site, result: found };
      }),

    readSettings: async () => current.siteSettings,
    changeSettings: (changes) =>
      change((site) => {
        const siteSettings = { ...site.siteSettings, ...changes };
        return { site: { ...site, siteSettings }, result: siteSettings };
      }),

    // The data lock keeps every other process out.
    onChange: (listener) => void listeners.push(listener),
  };
}

function replaceOne<Item extends { readonly id: number }>(
  list: readonly Item[],
  id: number,
  changes: Partial<Item>,
): { list: readonly Item[]; changed: Item | undefined } {
  const found = list.find((item) => item.id === id);
  if (!found) return { list, changed: undefined };
  const changed = { ...found, ...changes, id };
  return { list: list.map((item) => (item === found ? changed : item)), changed };
}
