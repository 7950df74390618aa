/** Takes out of a record folder what is kept by day and has been kept long enough. */
import { basename, dirname, join } from 'node:path';
import { listFolder, removeFile, removeFolder } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { fileNameOf } from './record-paths.js';
import type { RecordPlace, RecordReader } from './record-reader.js';

/** Ids given to a choice at a time, so that memory does not grow with a day's records. */
const idsAtOnce = 500;

export interface RecordRemovalOptions<T extends object, State extends string> {
  readonly files: FileLayer;
  readonly reader: RecordReader<T, State>;
  /** The ids of records in a folder, by the names of their files. */
  idsIn(place: RecordPlace<State>, names: readonly string[]): Promise<string[]>;
  /** Makes a folder's entries durable. */
  sync(folder: string): Promise<void>;
}

export function createRecordRemoval<T extends object, State extends string>({
  files,
  reader,
  idsIn,
  sync,
}: RecordRemovalOptions<T, State>) {
  /** Removes of every batch of ids in a folder those that `choose` gives; gives how many. */
  async function removeChosen(
    place: RecordPlace<State>,
    state: State,
    choose: (ids: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number> {
    const names = await reader.namesIn(place);
    let removed = 0;
    for (let start = 0; start < names.length; start += idsAtOnce) {
      const ids = await choose(await idsIn(place, names.slice(start, start + idsAtOnce)));
      const seconds = ids.flatMap((id) => reader.secondPath(id, state) ?? []);
      // Alone, a second name would bring its record back.
      await Promise.all(seconds.map((path) => removeFile(files, path)));
      if (seconds[0]) await sync(dirname(seconds[0]));
      await Promise.all(ids.map((id) => removeFile(files, join(place.path, fileNameOf(id)))));
      removed += ids.length;
    }
    if ((await listFolder(files, place.path)).length === 0) await removeFolder(files, place.path);
    return removed;
  }

  /**
   * Removes records of a state kept by day on days before `day`: whole days (of a state without second
   * names), and gives how many days; or of every batch of ids those that `choose` gives (it ends early
   * by throwing), and gives how many records.
   */
  async function removeBefore(
    state: State,
    day: string,
    choose?: (ids: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number> {
    const places = reader.foldersOf(state).filter(({ path }) => basename(path) < day);
    if (!choose) {
      for (const { path } of places) await removeFolder(files, path);
      return places.length;
    }
    let removed = 0;
    for (const place of places) removed += await removeChosen(place, state, choose);
    return removed;
  }

  return { removeBefore };
}
