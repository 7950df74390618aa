import type { Clock } from '../base/clock.js';
import { removeFolderMark, writeFolderMark } from '../storage/json/folder-mark.js';
import type { TransferMark } from '../storage/transfer-mark.js';
import { assertEmpty } from './assert-empty.js';
import { createEntryGroups } from './entry-groups.js';
import type { FolderRecords, Source, Target } from './place.js';

/** A data folder that was opened for nobody else to work on. */
export interface OpenFolder {
  readonly folder: string;
  readonly mark: TransferMark | undefined;
  readonly clock: Clock;
  /** Everything in it. */
  readonly records: FolderRecords;
  close(): Promise<void>;
}

/** The data of a folder; `secrets` are fingerprints of those that go with it. */
export function folderSource(
  { folder, mark, clock, records, close }: OpenFolder,
  secrets: Source['secrets'],
): Source {
  return {
    name: folder,
    storage: 'json',
    mark,
    secrets,
    read: (now, work) => work(records.readers(now)),
    markMoved: (to) => writeFolderMark(folder, { state: 'moved', place: to, since: timeOf(clock) }),
    close,
  };
}

/**
 * An empty folder, or one that an import which was cut off has left: that begins anew. `from` tells people
 * where the data comes from; `own` are the records that are not in their place already.
 */
export async function folderTarget(
  { folder, mark, clock, records, close }: OpenFolder,
  { from, own }: { readonly from: string; readonly own: FolderRecords },
): Promise<Target> {
  const begin = async () => {
    await writeFolderMark(folder, { state: 'importing', place: from, since: timeOf(clock) });
    await own.remove();
  };
  if (!mark) await assertEmpty(folder, own.readers(0));
  await begin();
  return {
    name: folder,
    storage: 'json',
    restart: begin,
    async load(stream) {
      const groups = createEntryGroups(stream.entries);
      for (const { kind, write } of await own.writers()) await write(groups.of(kind));
      await groups.end();
    },
    read: (now, work) => work(records.readers(now)),
    release: () => removeFolderMark(folder),
    close,
  };
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
