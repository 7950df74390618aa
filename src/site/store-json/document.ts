import type { Adapter } from 'lowdb';
import {
  Announcement as isAnnouncement,
  Product as isProduct,
  Settings as isSettings,
} from '#validators/site';
import { SiteIds as isSiteIds } from '#validators/site-document';
import type { FileLayer } from '../../base/files/file-layer.js';
import { type Report, repairAdvice } from '../../storage/json/data-checker.js';
import { lineFile } from '../../storage/json/line-file.js';
import type { Line } from '../../storage/json/lines.js';
import { type Announcement, defaultSettings, type Product, type SiteSettings } from '../content.js';
import type { SiteIdsRecord } from '../records.js';

/** The whole site content. Last ids are kept so that none is given twice. */
export interface SiteDocument extends SiteIdsRecord {
  readonly products: readonly Product[];
  readonly announcements: readonly Announcement[];
  readonly siteSettings: SiteSettings;
}

export const emptySite: SiteDocument = {
  products: [],
  announcements: [],
  siteSettings: defaultSettings,
  lastProductId: 0,
  lastAnnouncementId: 0,
};

const checks = {
  ids: isSiteIds,
  settings: isSettings,
  product: isProduct,
  announcement: isAnnouncement,
  end: isSiteIds,
} as const;

type Kind = keyof typeof checks;

/**
 * The file of the site: lines `[kind, record]`, the ids that were given last at both ends. What is damaged
 * is reported and left out where `report` does not throw.
 */
export function siteFile(path: string, files: FileLayer, report: Report): Adapter<SiteDocument> {
  async function parse(all: AsyncIterable<readonly Line[]>): Promise<SiteDocument | null> {
    const found: Record<Kind, object[]> = {
      ids: [],
      settings: [],
      product: [],
      announcement: [],
      end: [],
    };
    let lines = 0;
    for await (const some of all) {
      for (const { text, number, bytes } of some) {
        lines += 1;
        const entry = text === undefined ? undefined : (JSON.parse(text) as [Kind, object]);
        if (entry && checks[entry[0]]?.(entry[1])) found[entry[0]].push(entry[1]);
        else damage(entry ? 'This line holds nothing of a site.' : badChecksum, number, bytes);
      }
    }
    if (lines === 0) return null;
    if (found.end.length === 0) damage('The end of the file is missing.');
    // The schemas describe these types.
    const ids = [...found.ids, ...found.end] as SiteIdsRecord[];
    const products = found.product as Product[];
    const announcements = found.announcement as Announcement[];
    const highest = (given: readonly number[]) => Math.max(0, ...given);
    return {
      products,
      announcements,
      siteSettings: (found.settings[0] as SiteSettings | undefined) ?? defaultSettings,
      lastProductId: highest([
        ...ids.map((each) => each.lastProductId),
        ...products.map(({ id }) => id),
      ]),
      lastAnnouncementId: highest([
        ...ids.map((each) => each.lastAnnouncementId),
        ...announcements.map(({ id }) => id),
      ]),
    };
  }

  const badChecksum = 'This line is damaged: its checksum does not fit.';
  function damage(message: string, number?: number, bytes?: Buffer): void {
    const line = number === undefined ? {} : { line: number };
    report({ severity: 'error', file: path, ...line, message, advice: repairAdvice }, bytes);
  }

  function* format(site: SiteDocument): Generator<string> {
    const { products, announcements, siteSettings, lastProductId, lastAnnouncementId } = site;
    const line = (kind: Kind, record: object) => JSON.stringify([kind, record]);
    yield line('ids', { lastProductId, lastAnnouncementId });
    yield line('settings', siteSettings);
    for (const product of products) yield line('product', product);
    for (const announcement of announcements) yield line('announcement', announcement);
    yield line('end', { lastProductId, lastAnnouncementId });
  }

  return lineFile({ path, files, parse, format });
}
