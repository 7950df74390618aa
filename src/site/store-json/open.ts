import { dirname } from 'node:path';
import type { SiteDocument } from '#validators/site-document';
import type { Clock } from '../../base/clock.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { type Report, setAside, throwDamage } from '../../storage/json/check/data-checker.js';
import { byNewestDate, byOrder, type DeletedOptions, isRestorable } from '../content.js';
import type { SiteStore, ThingStore } from '../store.js';

import { siteFile } from './document.js';
import {
  addAnnouncement,
  addProduct,
  changeOne,
  changeSingle,
  importProducts,
  keptOf,
  onThings,
  removeOne,
  restoreOne,
  type SiteChange,
  sweepSite,
  type ThingKind,
  type ThingOf,
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

  function thingsOf<Kind extends ThingKind, New>(
    kind: Kind,
    inOrder: (a: ThingOf<Kind>, b: ThingOf<Kind>) => number,
    add: (site: SiteDocument, fields: New) => SiteChange<ThingOf<Kind>>,
  ): ThingStore<ThingOf<Kind>, New> {
    const kept = () => keptOf(current, kind);
    return {
      list: async () => [...kept().list].sort(inOrder),
      find: async (id) => kept().list.find((thing) => thing.id === id),
      add: (fields) => change((site) => add(site, fields)),
      change: (id, changes, assert) =>
        change((site) => onThings(site, kind, (all) => changeOne(all, { id, changes, assert }))),
      remove: (id) =>
        change((site) => onThings(site, kind, (all) => removeOne(all, { id, ...time() }))),
      restore: (id) =>
        change((site) => onThings(site, kind, (all) => restoreOne(all, { id, ...time() }))),
      async listDeleted() {
        const now = time();
        return kept().deleted.flatMap((each) => (isRestorable(each, now) ? [each.was] : []));
      },
    };
  }

  return {
    products: thingsOf('products', byOrder, addProduct),
    importProducts: (decide) =>
      change((site) => importProducts(site, decide([...site.products].sort(byOrder)))),
    announcements: thingsOf('announcements', byNewestDate, addAnnouncement),

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
