import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { durableJsonFile } from '../../storage/json/durable-json-file.js';
import { type Announcement, defaultSettings, type Product, type SiteSettings } from '../content.js';
import {
  announcementRecord,
  productRecord,
  type SiteIdsRecord,
  settingsRecord,
} from '../records.js';
import { checkSiteDocument, type SiteDocument } from './open.js';

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;
const none: SiteIdsRecord = { lastProductId: 0, lastAnnouncementId: 0 };

/** The site's records in its document, `path`. */
export function readJsonSite(path: string): readonly RecordReader[] {
  const file = durableJsonFile({ path, check: checkSiteDocument(path) });
  return [
    {
      kind: 'site-settings',
      async *read() {
        yield settingsRecord((await file.read())?.siteSettings ?? defaultSettings);
      },
    },
    {
      kind: 'product',
      async *read() {
        yield* [...((await file.read())?.products ?? [])].sort(byId).map(productRecord);
      },
    },
    {
      kind: 'announcement',
      async *read() {
        yield* [...((await file.read())?.announcements ?? [])].sort(byId).map(announcementRecord);
      },
    },
    {
      kind: 'site-ids',
      async *read() {
        const { lastProductId, lastAnnouncementId } = (await file.read()) ?? none;
        yield { lastProductId, lastAnnouncementId };
      },
    },
  ];
}

/** Writes the site's document when its last kind has come: it is one file, and small. */
export function fillJsonSite(path: string): readonly RecordWriter[] {
  const products: Product[] = [];
  const announcements: Announcement[] = [];
  let siteSettings = defaultSettings;
  let ids = none;
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
        await durableJsonFile({ path, check: checkSiteDocument(path) }).write(document);
      },
    },
  ];
}
