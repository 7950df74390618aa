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
  removeOne,
  restoreOne,
  type SiteChange,
  sweepSite,
  type ThingKind,
  type ThingOf,
  thingsOf,
} from './site-changes.js';

export interface JsonSiteOptions extends DeletedOptions {
  readonly path: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly files?: FileLayer;
  /** Called for damage. The damaged part is set aside in `damaged/`, and the rest is served. */
  onDamage?(...damage: Parameters<Report>): void;
  /** If true, a lost file is replaced by an empty site. A file that never existed is not created. */
  readonly isRepair?: boolean;
}

export interface JsonSiteStore extends SiteStore {
  /** Permanently removes deleted items that can no longer be restored. */
  sweep(): Promise<void>;
}

/**
 * Opens the site's content. It is one document, because it is small and is read far more often than it is changed.
 * Throws `data_damaged` if the file has been lost.
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
  // The file is rewritten without the damaged lines, so they are reported only once.
  if (damaged.length > 0 || !(read.isKept || isRepair)) await file.make(current);
  const listeners: (() => void)[] = [];
  let lastChange: Promise<unknown> = Promise.resolve();

  /** Applies changes one at a time. Reads return the old document until the new one is on disk. */
  function change<Result>(decide: (site: SiteDocument) => SiteChange<Result>): Promise<Result> {
    const changed = lastChange.then(async () => {
      const { site, result } = decide(current);
      if (site === current) return result;
      await file.write(site);
      current = site;
      for (const listener of listeners) listener();
      return result;
    });
    // The caller has received the error. The next changes continue.
    lastChange = changed.catch(() => undefined);
    return changed;
  }

  const time = () => ({ now: clock.now(), keepDeletedMs });

  function storeOf<Kind extends ThingKind, New>(
    kind: Kind,
    inOrder: (a: ThingOf<Kind>, b: ThingOf<Kind>) => number,
    add: (site: SiteDocument, fields: New) => SiteChange<ThingOf<Kind>>,
  ): ThingStore<ThingOf<Kind>, New> {
    return {
      list: async () => [...thingsOf(current, kind).list].sort(inOrder),
      find: async (id) => thingsOf(current, kind).list.find((thing) => thing.id === id),
      add: (fields) => change((site) => add(site, fields)),
      change: (id, changes, assert) => change((site) => changeOne(site, kind, id, changes, assert)),
      remove: (id) => change((site) => removeOne(site, kind, id, clock.now())),
      restore: (id) => change((site) => restoreOne(site, kind, id, time())),
      async listDeleted() {
        const now = time();
        const { deleted } = thingsOf(current, kind);
        return deleted.flatMap((each) => (isRestorable(each, now) ? [each.was] : []));
      },
    };
  }

  return {
    products: storeOf('products', byOrder, addProduct),
    importProducts: (decide) =>
      change((site) => importProducts(site, decide([...site.products].sort(byOrder)))),
    announcements: storeOf('announcements', byNewestDate, addAnnouncement),

    readSettings: async () => current.siteSettings,
    changeSettings: (changes, assert) =>
      change((site) => changeSingle(site, 'siteSettings', changes, assert)),
    readShop: async () => current.shop,
    changeShop: (changes, assert) => change((site) => changeSingle(site, 'shop', changes, assert)),

    // The data lock excludes other processes, so only this process makes changes.
    onChange: (listener) => void listeners.push(listener),
    sweep: () => change((site) => sweepSite(site, time())),
  };
}
