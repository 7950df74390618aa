import { systemFiles } from '../../base/files/file-layer.js';
import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { throwDamage } from '../../storage/json/collection-files.js';
import type { Report } from '../../storage/json/data-checker.js';
import { type Announcement, defaultSettings, type Product, type SiteSettings } from '../content.js';
import {
  announcementRecord,
  productRecord,
  type SiteIdsRecord,
  settingsRecord,
} from '../records.js';
import { emptySite, type SiteDocument, siteFile } from './document.js';

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

/** The site's records in its file, `path`. Where `report` does not throw, damaged ones are left out. */
export function readJsonSite(path: string, report: Report = throwDamage): readonly RecordReader[] {
  let reading: Promise<SiteDocument | null> | undefined;
  const reader = (
    kind: string,
    recordsOf: (site: SiteDocument) => Iterable<object>,
  ): RecordReader => ({
    kind,
    async *read() {
      reading ??= siteFile(path, systemFiles, report).read();
      yield* recordsOf((await reading) ?? emptySite);
    },
  });
  return [
    reader('site-settings', ({ siteSettings }) => [settingsRecord(siteSettings)]),
    reader('product', ({ products }) => [...products].sort(byId).map(productRecord)),
    reader('announcement', (site) => [...site.announcements].sort(byId).map(announcementRecord)),
    reader('site-ids', ({ lastProductId, lastAnnouncementId }) => [
      { lastProductId, lastAnnouncementId },
    ]),
  ];
}

/** Writes the site's document when its last kind has come: it is one file, and small. */
export function fillJsonSite(path: string): readonly RecordWriter[] {
  const products: Product[] = [];
  const announcements: Announcement[] = [];
  let siteSettings = defaultSettings;
  let ids: SiteIdsRecord = emptySite;
  const collect = (work: (record: never) => void) => (records: AsyncIterable<object>) =>
    // The kind's check has said that the records are of this kind.
    eachOf(records, 1, async (record) => work(record as never));
  return [
    {
      kind: 'site-settings',
      write: collect((record: SiteSettings) => {
        siteSettings = record;
      }),
    },
    { kind: 'product', write: collect((record: Product) => products.push(record)) },
    { kind: 'announcement', write: collect((record: Announcement) => announcements.push(record)) },
    {
      kind: 'site-ids',
      async write(records) {
        await collect((record: SiteIdsRecord) => {
          ids = record;
        })(records);
        const document: SiteDocument = { products, announcements, siteSettings, ...ids };
        await siteFile(path, systemFiles, throwDamage).write(document);
      },
    },
  ];
}
