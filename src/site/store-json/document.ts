import { Settings, Shop } from '#validators/site';
import { type SiteDocument, SiteIds } from '#validators/site-document';
import type { FileLayer } from '../../base/files/file-layer.js';
import {
  damagedLine,
  faultAt,
  noteBreak,
  type Report,
} from '../../storage/json/check/data-checker.js';
import { readManifest, writeManifest } from '../../storage/json/data-folder/data-folder.js';
import { lineFile } from '../../storage/json/lines/line-file.js';
import { bytesOf, type Line } from '../../storage/json/lines/lines.js';
import { defaultSettings, defaultShop } from '../content.js';
import { type SiteListName, siteLists } from '../records.js';

/** An empty site. The last IDs are stored so that no ID is used twice. */
export const emptySite: SiteDocument = {
  products: [],
  announcements: [],
  deletedProducts: [],
  deletedAnnouncements: [],
  siteSettings: defaultSettings,
  shop: defaultShop,
  lastProductId: 0,
  lastAnnouncementId: 0,
};

/** Returns an empty list for each kind that can have many records. */
export function emptyLists(): Record<SiteListName, object[]> {
  return { products: [], announcements: [], deletedProducts: [], deletedAnnouncements: [] };
}

/**
 * Returns the path of the site's manifest, which contains the last IDs. If the manifest exists but the site's file does
 * not, the file has been lost.
 */
export function siteManifest(path: string): string {
  return path.replace(/\.jsonl$/, '.store.json');
}

/** A line of the file before validation. */
interface SiteLine {
  readonly kind?: unknown;
  readonly record?: unknown;
}

/**
 * Returns the site's file. Its lines have the form `{"kind", "record"}`. The first and the last line contain the last
 * IDs. Damage is passed to `report`. If `report` does not throw, damaged lines are skipped.
 */
export function siteFile(path: string, files: FileLayer, report: Report) {
  /** The line number of each record. */
  const lines = new Map<string, number>();

  async function parse(all: AsyncIterable<readonly Line[]>): Promise<SiteDocument | null> {
    const lists = emptyLists();
    const ids: SiteIds[] = [];
    lines.clear();
    let siteSettings = defaultSettings;
    let shop = defaultShop;
    let count = 0;
    let isWhole = false;

    /** Returns false if the line is not a valid record of the site. */
    function add({ kind, record }: SiteLine, number: number): boolean {
      const list = siteLists.find((each) => each.kind === kind);
      if (list?.isRecord(record)) lists[list.list].push(record as object);
      else if (kind === 'shop' && Shop(record)) shop = record;
      else if (kind === 'settings' && Settings(record)) siteSettings = record;
      else if ((kind === 'ids' || kind === 'end') && SiteIds(record)) ids.push(record);
      else return false;
      isWhole ||= kind === 'end';
      lines.set(nameOf(kind, record as object), number); // All schemas require an object.
      return true;
    }

    for await (const some of all) {
      for (const line of some) {
        count += 1;
        noteBreak(line, path, report);
        if (line.text === undefined) damage(damagedLine, line);
        else if (!add(JSON.parse(line.text), line.number))
          damage('This line is not a valid record of the site.', line);
      }
    }
    if (count === 0) return null;
    if (!isWhole) damage('The end of the file is missing.');
    const highest = (...lists: (readonly number[])[]) =>
      lists.flat().reduce((max, id) => Math.max(max, id), 0);
    // Every record has passed the validator of its list.
    const things = lists as unknown as Pick<SiteDocument, SiteListName>;
    return {
      ...things,
      siteSettings,
      shop,
      lastProductId: highest(
        ids.map((each) => each.lastProductId),
        things.products.map(({ id }) => id),
        things.deletedProducts.map(({ was }) => was.id),
      ),
      lastAnnouncementId: highest(
        ids.map((each) => each.lastAnnouncementId),
        things.announcements.map(({ id }) => id),
        things.deletedAnnouncements.map(({ was }) => was.id),
      ),
    };
  }

  function damage(message: string, line?: Line): void {
    if (line) report(faultAt({ file: path, line: line.number }, message), bytesOf(line));
    else report(faultAt({ file: path }, message));
  }

  function* format(site: SiteDocument): Generator<string> {
    const { lastProductId, lastAnnouncementId } = site;
    const line = (kind: string, record: object) => JSON.stringify({ kind, record });
    yield line('ids', { lastProductId, lastAnnouncementId });
    yield line('settings', site.siteSettings);
    yield line('shop', site.shop);
    for (const { kind, list } of siteLists) {
      for (const record of site[list]) yield line(kind, record);
    }
    yield line('end', { lastProductId, lastAnnouncementId });
  }

  const manifest = siteManifest(path);
  const { read, write } = lineFile({ path, files, parse, format });
  let kept: SiteIds = { lastProductId: 0, lastAnnouncementId: 0 };

  async function keepIds({ lastProductId, lastAnnouncementId }: SiteIds): Promise<void> {
    const ids = { lastProductId, lastAnnouncementId };
    await writeManifest(manifest, ids, files);
    kept = ids;
  }

  return {
    /** Returns the line number of a record with an ID. If several records have the same ID, returns the last line. */
    lineOf: (kind: string, record: object) => lines.get(nameOf(kind, record)),
    /**
     * Reads the site. `isKept` is true if the file and its manifest exist. A lost file is reported to `onLost`. If
     * `onLost` does not throw, the site is empty.
     */
    async read(onLost: Report = report): Promise<{ site: SiteDocument; isKept: boolean }> {
      const known = await readManifest(manifest, files, report);
      if (SiteIds(known)) kept = known;
      const site = await read();
      if (known && !site) onLost(faultAt({ file: path }, 'The file is missing.'));
      const { lastProductId, lastAnnouncementId } = site ?? emptySite;
      return {
        site: {
          ...(site ?? emptySite),
          lastProductId: Math.max(lastProductId, kept.lastProductId),
          lastAnnouncementId: Math.max(lastAnnouncementId, kept.lastAnnouncementId),
        },
        isKept: known !== undefined && site !== null,
      };
    },
    /** Writes the site. If a last ID has increased, the manifest is written first. */
    async write(site: SiteDocument): Promise<void> {
      const { lastProductId, lastAnnouncementId } = kept;
      const hasNewId =
        site.lastProductId > lastProductId || site.lastAnnouncementId > lastAnnouncementId;
      if (hasNewId) await keepIds(site);
      await write(site);
    },
    /** Writes the site, then the manifest. */
    async make(site: SiteDocument): Promise<void> {
      await write(site);
      await keepIds(site);
    },
  };
}

/** Returns a key for a record, made of its kind and ID. */
function nameOf(kind: unknown, record: object): string {
  const { id, was } = record as { readonly id?: number; readonly was?: { readonly id: number } };
  return `${kind} ${id ?? was?.id}`;
}
