import type { Clock } from '../base/clock.js';
import { removeFolderMark, writeFolderMark } from '../storage/json/data-folder/data-folder.js';
import type { TransferMark } from '../storage/transfer-mark.js';
import type { FolderRecords, Source, Target } from './place.js';
import { assertEmpty } from './place.js';
import type { Entry } from './record-stream.js';

/** A data folder that is locked by this process. */
export interface OpenFolder {
  readonly folder: string;
  readonly mark: TransferMark | undefined;
  readonly clock: Clock;
  /** All records of the folder. */
  readonly records: FolderRecords;
  close(): Promise<void>;
}

/** Returns a folder as a source. `secrets` are fingerprints of the data's secrets. */
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
 * Opens an empty folder as a target, or restarts an interrupted import from the beginning. `from` describes the data's
 * source in messages. `missing` are the records to write. The others already exist.
 */
export async function folderTarget(
  { folder, mark, clock, records, close }: OpenFolder,
  { from, missing }: { readonly from: string; readonly missing: FolderRecords },
): Promise<Target> {
  const begin = async () => {
    await writeFolderMark(folder, { state: 'importing', place: from, since: timeOf(clock) });
    await missing.remove();
  };
  if (!mark) await assertEmpty(folder, missing.readers(0));
  await begin();
  return {
    name: folder,
    restart: begin,
    load: ({ entries }) => store(entries, missing),
    read: (now, work) => work(records.readers(now)),
    release: () => removeFolderMark(folder),
    close,
  };
}

/** Stores a stream, kind by kind. Skips kinds without a writer, whose records already exist. */
async function store(entries: AsyncIterable<Entry>, { writers }: FolderRecords): Promise<void> {
  const all = await writers();
  const kinds = new Set(all.map(({ kind }) => kind));
  const iterator = entries[Symbol.asyncIterator]();
  let next = await iterator.next();
  async function* recordsOf(kind: string): AsyncGenerator<object> {
    for (; !next.done; next = await iterator.next()) {
      if (next.value.kind === kind) yield next.value.record;
      else if (kinds.has(next.value.kind)) return;
    }
  }
  for (const { kind, write } of all) await write(recordsOf(kind));
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
