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
import {
  type SiteListName,
  settingsRecord,
  shopRecords,
  siteKinds,
  siteLists,
} from '../records.js';
import { emptyLists, emptySite, siteFile } from './document.js';
import { openJsonSiteStore } from './open.js';

const byTime = (a: { readonly deletedAt: string }, b: { readonly deletedAt: string }) =>
  Date.parse(a.deletedAt) - Date.parse(b.deletedAt);

/** Reads the site's records from its file, `path`, once. If `report` does not throw, damaged ones are left out. */
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
    reader('site-settings', ({ siteSettings }) => [settingsRecord(siteSettings)]),
    reader('shop', ({ shop }) => shopRecords(shop)),
    ...siteLists.map(({ kind, list, toRecords }) => reader(kind, (site) => toRecords(site[list]))),
    reader('site-ids', ({ lastProductId, lastAnnouncementId }) => [
      { lastProductId, lastAnnouncementId },
    ]),
  ];
}

/** Writes the site's document when its last kind has come: it is one file, and small. */
export function fillJsonSite(path: string): readonly RecordWriter[] {
  const lists = emptyLists();
  let siteSettings = defaultSettings;
  let shop = defaultShop;
  let ids: SiteIds = emptySite;
  const collect = (work: (record: never) => void) => (records: AsyncIterable<object>) =>
    // The kind's check has said that the records are of this kind.
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
        // The checks of their kinds have said what the records are.
        const things = lists as unknown as Pick<SiteDocument, SiteListName>;
        const document: SiteDocument = {
          ...things,
          // Those deleted last are the last.
          deletedProducts: [...things.deletedProducts].sort(byTime),
          deletedAnnouncements: [...things.deletedAnnouncements].sort(byTime),
          ...{ siteSettings, shop, ...ids },
        };
        await siteFile(path, systemFiles, throwDamage).make(document);
      },
    },
  ];
}

/** Checks the site's file: it reads it as an export does, goes on after damage, and asks what an import asks. */
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
        const place = { file: path, ...(line === undefined ? {} : { line }) };
        const message = `This ${kind} ${fault}.`;
        report({ severity: 'error', ...place, message, advice: restoreAdvice });
      }
    }
  },
  async repair(data, { tell }) {
    const path = join(data, 'site.jsonl');
    const whole = existsSync(path)
      ? 'The file was written again.'
      : 'An empty site was begun; a copy of the file from a backup would bring the content back.';
    // Opening sets aside what is damaged, and writes the rest again.
    await openJsonSiteStore({
      path,
      // Nothing is deleted here, and nothing too old goes.
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
