import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings, Shop } from '#validators/site';
import type { SiteDocument, SiteIds } from '#validators/site-document';
import { systemClock } from '../../base/clock.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { lazy } from '../../base/single-flight.js';
import {
  type DataChecker,
  type Report,
  restoreAdvice,
  throwDamage,
} from '../../storage/json/check/data-checker.js';
import { defaultSettings, defaultShop } from '../content.js';
import { type SiteListName, shopRecords, siteKinds, siteLists } from '../records.js';
import { emptyLists, emptySite, siteFile } from './document.js';
import { openJsonSiteStore } from './open.js';

const byTime = (a: { readonly deletedAt: string }, b: { readonly deletedAt: string }) =>
  Date.parse(a.deletedAt) - Date.parse(b.deletedAt);

/** Returns readers of the records in the site's file. If `report` does not throw, damaged records are skipped. */
export function readJsonSite(path: string, report: Report = throwDamage): readonly RecordReader[] {
  return readersOf(siteFile(path, systemFiles, report));
}

function readersOf(file: ReturnType<typeof siteFile>): readonly RecordReader[] {
  const document = lazy(() => file.read());
  const reader = (
    kind: string,
    recordsOf: (site: SiteDocument) => Iterable<object>,
  ): RecordReader => ({
    kind,
    async *read() {
      yield* recordsOf((await document.get()).site);
    },
  });
  return [
    reader('site-settings', ({ siteSettings }) => [siteSettings]),
    reader('shop', ({ shop }) => shopRecords(shop)),
    ...siteLists.map(({ kind, list, toRecords }) => reader(kind, (site) => toRecords(site[list]))),
    reader('site-ids', ({ lastProductId, lastAnnouncementId }) => [
      { lastProductId, lastAnnouncementId },
    ]),
  ];
}

/** Returns the writers of the site's records. The file is written after the last kind. */
export function fillJsonSite(path: string): readonly RecordWriter[] {
  const lists = emptyLists();
  let siteSettings = defaultSettings;
  let shop = defaultShop;
  let ids: SiteIds = emptySite;
  const collect = (work: (record: never) => void) => (records: AsyncIterable<object>) =>
    // The kind's check has validated the record.
    eachOf(records, 1, async (record) => work(record as never));
  return [
    {
      kind: 'site-settings',
      write: collect((record: Settings) => {
        siteSettings = record;
      }),
    },
    {
      kind: 'shop',
      write: collect((record: Shop) => {
        shop = record;
      }),
    },
    ...siteLists.map(({ kind, list }) => ({
      kind,
      write: collect((record) => lists[list].push(record)),
    })),
    {
      kind: 'site-ids',
      async write(records) {
        await collect((record: SiteIds) => {
          ids = record;
        })(records);
        // The checks of their kinds have validated the records.
        const things = lists as unknown as Pick<SiteDocument, SiteListName>;
        const document: SiteDocument = {
          ...things,
          // The document sorts deleted items by deletion time.
          deletedProducts: [...things.deletedProducts].sort(byTime),
          deletedAnnouncements: [...things.deletedAnnouncements].sort(byTime),
          ...{ siteSettings, shop, ...ids },
        };
        await siteFile(path, systemFiles, throwDamage).make(document);
      },
    },
  ];
}

/** Checks the site's file. It continues after damage and applies the same checks as an import. */
export const siteChecker: DataChecker = {
  name: 'site',
  async check(data, report) {
    const path = join(data, 'site.jsonl');
    const file = siteFile(path, systemFiles, report);
    const checks = new Map(siteKinds().map(({ name, check }) => [name, check]));
    for (const { kind, read } of readersOf(file)) {
      for await (const record of read()) {
        const fault = checks.get(kind)?.(record);
        if (fault === undefined) continue;
        const line = file.lineOf(kind, record);
        const location = { file: path, ...(line === undefined ? {} : { line }) };
        const message = `This ${kind} ${fault}.`;
        report({ severity: 'error', ...location, message, advice: restoreAdvice });
      }
    }
  },
  async repair(data, { tell }) {
    const path = join(data, 'site.jsonl');
    const whole = existsSync(path)
      ? 'The file was rewritten.'
      : 'An empty site was created. To get the content back, restore the file from a backup.';
    // Opening the store sets the damaged lines aside and rewrites the file.
    await openJsonSiteStore({
      path,
      // A repair must not remove expired items.
      clock: systemClock,
      keepDeletedMs: Number.POSITIVE_INFINITY,
      isRepair: true,
      onDamage({ file, line, message }, bytes) {
        const done = bytes ? 'It was set aside in damaged/.' : whole;
        tell({ file, ...(line === undefined ? {} : { line }), message: `${message} ${done}` });
      },
    });
  },
};
