/** What a record folder holds: records of the states asked for, or only their ids. */
import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../../base/errors.js';
import { listFolder, removeFile, removeFolder } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { asDamage } from '../check/data-checker.js';
import type { RecordPlan } from './record-file.js';
import { fileNameOf, idOfName } from './record-file.js';
import type { FoundRecord, RecordPlace, RecordReader } from './record-reader.js';

/** A record and how it stands. */
export interface RecordEntry<T, State extends string> {
  readonly id: string;
  readonly state: State;
  readonly record: T;
}

export interface ListOptions {
  readonly latestDaysFirst?: boolean;
  /** Asked with the ids that names tell: the files of others are not read. */
  isWanted?(id: string): boolean;
  /** Asked with a state's next day before its names are read. */
  isDayWanted?(day: string): Promise<boolean>;
  onDamaged?(error: AppError): void;
}

export interface ListingOptions<T extends object, State extends string> {
  readonly plan: RecordPlan<T, State>;
  readonly reader: RecordReader<T, State>;
  /** The record in whatever state it is. */
  find(id: string): Promise<FoundRecord<T, State> | undefined>;
  /** Told, once, of a file that is damaged; lists leave it out. Without it, they throw. */
  onDamaged?: ((error: AppError) => void) | undefined;
}

/** Files read for a list at once. */
const readAhead = 32;

export function createRecordListing<T extends object, State extends string>({
  plan,
  reader,
  find,
  ...options
}: ListingOptions<T, State>) {
  const told = new Set<string>();

  /** A cut name does not tell its id, so the file is read; one that is gone meanwhile is left out. */
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

  function tellOnce(error: AppError): void {
    if (!options.onDamaged) throw error;
    if (!told.has(error.message)) options.onDamaged(error);
    told.add(error.message);
  }

  /** What a list meets: a file that has moved on since its name was read is looked for. */
  async function readListed({ path, state }: RecordPlace<State>, name: string) {
    const found = await reader.readAt({ path: join(path, name), state });
    const id = idOfName(name);
    return found ?? (id === undefined ? undefined : find(id));
  }

  /** Every record of these states, what is claimed included, days rising; in bounded memory. */
  async function* list(
    wanted: readonly State[],
    listing: ListOptions = {},
  ): AsyncGenerator<RecordEntry<T, State>> {
    const { latestDaysFirst = false, onDamaged = tellOnce } = listing;
    const { isWanted = () => true, isDayWanted = async () => true } = listing;
    const isFlat = (state: State) => plan.states[state] === 'flat';
    // What is kept by day is not remembered; it is not met again but where it is claimed.
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
    // What was claimed while its folder was read, and is no longer there.
    for await (const found of inFolders(reader.claimFolders())) {
      if (isFlat(found.state)) yield found;
    }
    // What was claimed while its folder was read, and has been given back since.
    for (const state of wanted) if (isFlat(state)) yield* inFolders(reader.foldersOf(state));
  }

  return {
    idsIn,
    list,
    /** The ids in the folder of a flat state, without reading the records. */
    ids: (state: State): Promise<string[]> => idsOf(reader.foldersOf(state)),
    /** The same and those of what is claimed. */
    async allIds(state: State): Promise<string[]> {
      const claimed = await idsOf(reader.claimFolders());
      const unclaimed = await idsOf(reader.foldersOf(state));
      // What was claimed before the second step and given up before the first is in neither.
      return [...new Set([...claimed, ...unclaimed, ...(await idsOf(reader.claimFolders()))])];
    },
    /** The ids of what processes have claimed, but for the one whose folder this is. */
    claimedIds: (except: string | undefined): Promise<string[]> =>
      idsOf(reader.claimFolders().filter(({ path }) => path !== except)),
  };
}

function isWantedName(name: string, isWanted: (id: string) => boolean): boolean {
  const id = idOfName(name);
  return id === undefined || isWanted(id);
}

/** Takes out of a record folder what is kept by day and has been kept long enough. */

/** Ids given to a choice at a time, so that memory does not grow with a day's records. */
const idsAtOnce = 500;

interface RecordRemovalOptions<T extends object, State extends string> {
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
