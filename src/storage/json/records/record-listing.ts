import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../../base/errors.js';
import { listFolder, removeFile, removeFolder } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { asDamage } from '../check/data-checker.js';
import type { RecordPlan } from './record-file.js';
import { fileNameOf, idOfName } from './record-file.js';
import type { FoundRecord, RecordPlace, RecordReader } from './record-reader.js';

/** A record and its state. */
export interface RecordEntry<T, State extends string> {
  readonly id: string;
  readonly state: State;
  readonly record: T;
}

export interface ListOptions {
  readonly latestDaysFirst?: boolean;
  /** Selects records by the IDs in their file names; other files are not read. */
  isWanted?(id: string): boolean;
  /** Selects the days whose folders are read. */
  isDayWanted?(day: string): Promise<boolean>;
  onDamaged?(error: AppError): void;
}

export interface ListingOptions<T extends object, State extends string> {
  readonly plan: RecordPlan<T, State>;
  readonly reader: RecordReader<T, State>;
  /** Returns a record in any state. */
  find(id: string): Promise<FoundRecord<T, State> | undefined>;
  /** Called once for each damaged file, which lists then skip. Without this function, lists throw. */
  onDamaged?: ((error: AppError) => void) | undefined;
}

/** Maximum number of files that a list reads concurrently. */
const readAhead = 32;

/** Lists the records of a record folder, or only their IDs. */
export function createRecordListing<T extends object, State extends string>({
  plan,
  reader,
  find,
  ...options
}: ListingOptions<T, State>) {
  const reported = new Set<string>();

  /** Returns the IDs of files. Reads files whose names were truncated, and skips those that no longer exist. */
  async function idsIn(place: RecordPlace<State>, names: readonly string[]): Promise<string[]> {
    const idOf = async (name: string) =>
      (await reader.readAt({ ...place, path: join(place.path, name) }))?.id;
    const ids = await Promise.all(names.map((name) => idOfName(name) ?? idOf(name)));
    return ids.filter((id) => id !== undefined);
  }

  async function idsOf(places: readonly RecordPlace<State>[]): Promise<string[]> {
    const ids = places.map(async (place) => idsIn(place, await reader.namesIn(place)));
    return (await Promise.all(ids)).flat();
  }

  function reportOnce(error: AppError): void {
    if (!options.onDamaged) throw error;
    if (!reported.has(error.message)) options.onDamaged(error);
    reported.add(error.message);
  }

  /** Reads a file. If it has been moved since its name was read, searches for it. */
  async function readListed({ path, state }: RecordPlace<State>, name: string) {
    const found = await reader.readAt({ path: join(path, name), state });
    const id = idOfName(name);
    return found ?? (id === undefined ? undefined : find(id));
  }

  /** Yields all records of these states, including claimed ones, by ascending day. Uses bounded memory. */
  async function* list(
    wanted: readonly State[],
    listing: ListOptions = {},
  ): AsyncGenerator<RecordEntry<T, State>> {
    const { latestDaysFirst = false, onDamaged = reportOnce } = listing;
    const { isWanted = () => true, isDayWanted = async () => true } = listing;
    const isFlat = (state: State) => plan.states[state] === 'flat';
    // Records stored by day are not tracked, because they can appear again only as claimed records.
    const seen = new Set<string>();

    async function* inFolders(places: readonly RecordPlace<State>[]) {
      for (const place of places) {
        const isOfDay = place.state !== undefined && !isFlat(place.state);
        if (isOfDay && !(await isDayWanted(basename(place.path)))) continue;
        const isNew = (name: string) =>
          !seen.has(idOfName(name) ?? '') && isWantedName(name, isWanted);
        const names = (await reader.namesIn(place)).filter(isNew);
        for (let start = 0; start < names.length; start += readAhead) {
          const batch = names
            .slice(start, start + readAhead)
            .map((name) => readListed(place, name).catch((error) => onDamaged(asDamage(error))));
          for (const found of await Promise.all(batch)) {
            if (!found || !wanted.includes(found.state) || seen.has(found.id)) continue;
            if (!place.state || isFlat(place.state)) seen.add(found.id);
            yield found;
          }
        }
      }
    }

    yield* inFolders(reader.claimFolders());
    for (const state of wanted) {
      const places = reader.foldersOf(state);
      yield* inFolders(latestDaysFirst ? places.reverse() : places);
    }
    // Records that were claimed while their folder was read.
    for await (const found of inFolders(reader.claimFolders())) {
      if (isFlat(found.state)) yield found;
    }
    // Records that were claimed in the meantime and have been released since.
    for (const state of wanted) if (isFlat(state)) yield* inFolders(reader.foldersOf(state));
  }

  return {
    idsIn,
    list,
    /** Returns the IDs in the folder of a flat state, without reading the records. */
    ids: (state: State): Promise<string[]> => idsOf(reader.foldersOf(state)),
    /** Returns the IDs of a flat state's records and those of all claimed records. */
    async allIds(state: State): Promise<string[]> {
      const claimed = await idsOf(reader.claimFolders());
      const unclaimed = await idsOf(reader.foldersOf(state));
      // The third step finds records that were claimed between the first two.
      return [...new Set([...claimed, ...unclaimed, ...(await idsOf(reader.claimFolders()))])];
    },
    /** Returns the IDs of claimed records, except those in one claim folder. */
    claimedIds: (except: string | undefined): Promise<string[]> =>
      idsOf(reader.claimFolders().filter(({ path }) => path !== except)),
  };
}

function isWantedName(name: string, isWanted: (id: string) => boolean): boolean {
  const id = idOfName(name);
  return id === undefined || isWanted(id);
}

/** Number of IDs that `choose` receives at a time, so that memory does not grow with the number of records. */
const batchSize = 500;

interface RecordRemovalOptions<T extends object, State extends string> {
  readonly files: FileLayer;
  readonly reader: RecordReader<T, State>;
  /** Returns the IDs of files in a folder. */
  idsIn(place: RecordPlace<State>, names: readonly string[]): Promise<string[]>;
  /** Syncs the names in a folder to disk. */
  sync(folder: string): Promise<void>;
}

/** Removes old records of states that are stored by day. */
export function createRecordRemoval<T extends object, State extends string>({
  files,
  reader,
  idsIn,
  sync,
}: RecordRemovalOptions<T, State>) {
  /** Removes the records of a folder that `choose` selects, batch by batch. Returns their number. */
  async function removeChosen(
    place: RecordPlace<State>,
    state: State,
    choose: (ids: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number> {
    const names = await reader.namesIn(place);
    let removed = 0;
    for (let start = 0; start < names.length; start += batchSize) {
      const ids = await choose(await idsIn(place, names.slice(start, start + batchSize)));
      const seconds = ids.flatMap((id) => reader.secondPath(id, state) ?? []);
      // A second name that remained alone would restore its record.
      await Promise.all(seconds.map((path) => removeFile(files, path)));
      if (seconds[0]) await sync(dirname(seconds[0]));
      await Promise.all(ids.map((id) => removeFile(files, join(place.path, fileNameOf(id)))));
      removed += ids.length;
    }
    if ((await listFolder(files, place.path)).length === 0) await removeFolder(files, place.path);
    return removed;
  }

  /**
   * Removes records of days before `day`. Without `choose`, removes whole days of a state that has no second names, and
   * returns the number of days. With `choose`, removes the records that it selects from each batch of IDs, and returns
   * their number; `choose` may stop the removal by throwing.
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
