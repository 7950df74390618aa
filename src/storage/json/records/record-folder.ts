/**
 * A record folder keeps small JSON records, one file each, in folders that say how they stand:
 *
 *     <folder>/open/<id>.json                a plain state
 *     <folder>/ended/2026-07-28/<id>.json    a state kept by (UTC) day, for retention by days
 *     <folder>/ended/by-id/<id>.json         a second name of the same file, where it is kept for long
 *     <folder>/claimed/<owner>/<id>.json     that process is working on it
 *     <folder>/owners/<owner>.json           who that process is
 *     <folder>/tmp/                          files being written
 *
 * Several processes share it without a lock. A record is one file at any moment: claiming it renames it
 * into one's own folder, where nobody else touches it; the change is written and synced there, and the
 * file is renamed to where its content says that it belongs. The content counts: whatever a crash leaves
 * elsewhere is put there by whoever meets it. A method that resolves has made its change durable; I/O errors
 * are `storage_unavailable`. A damaged record is in nobody's way but its own.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Clock, systemClock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import {
  createFile,
  ensureFolder,
  listFolder,
  removeFile,
  removeFolder,
  syncFolder,
} from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { isMissing, storageError } from '../../../base/files/storage-errors.js';
import { createRounds, createTurns } from '../../../base/turns.js';
import { asDamage } from '../check/data-checker.js';
import { createRecordClaims, type RecordClaim } from './record-claims.js';
import { type RecordPlan, wholeText } from './record-file.js';
import { dayOf, fileNameOf, idOfName } from './record-paths.js';
import { createRecordReader, type FoundRecord, type RecordPlace } from './record-reader.js';

export interface RecordFolderOptions<T extends object, State extends string> {
  readonly folder: string;
  readonly plan: RecordPlan<T, State>;
  readonly clock: Clock;
  /** Who works here, for people who look into the folder: `serve`, `pay`. */
  readonly label?: string;
  readonly files?: FileLayer;
  /** Nothing is made or tidied: for those who only look, also where there is nothing yet. */
  readonly readOnly?: boolean | undefined;
  /** Told, once, of a file that is damaged; lists leave it out. Without it, they throw. */
  onDamaged?(error: AppError): void;
}

/** A record and how it stands. */
export interface RecordEntry<T, State extends string> {
  readonly id: string;
  readonly state: State;
  readonly record: T;
}

/** What to store instead of a record (nothing = leave it) and what to give back. */
export type Change<T, Result> = (record: T | undefined) => Changed<T, Result>;

interface Changed<T, Result> {
  readonly record?: T;
  readonly result: Result;
}

export interface ListOptions {
  readonly latestDaysFirst?: boolean;
  /** Asked with the ids that names tell: the files of others are not read. */
  isWanted?(id: string): boolean;
  /** Asked with a state's next day before its names are read. */
  isDayWanted?(day: string): Promise<boolean>;
  onDamaged?(error: AppError): void;
}

export type RecordFolder<T extends object, State extends string> = Awaited<
  ReturnType<typeof openRecordFolder<T, State>>
>;

/** Files written, and files read for a list, at once. */
const writesAtOnce = 128;
const readAhead = 32;
/** Ids given to a choice at a time, so that memory does not grow with a day's records. */
const idsAtOnce = 500;
/** A record that moves may be missed at one attempt, hardly at two. */
const attempts = 3;
/** A change takes milliseconds; a longer claim belongs to a process that hangs. */
const patienceMs = 10_000;
const retryMs = 5;
/** How long the list of days is taken as known when a record is created. */
const daysKnownMs = 1_000;

/** Opens a record folder: makes what is missing, and frees what processes that died have left. */
export async function openRecordFolder<T extends object, State extends string>(
  options: RecordFolderOptions<T, State>,
) {
  const { folder, plan, clock, label = 'msgsite', files = systemFiles } = options;
  const reader = createRecordReader(folder, plan, files);
  const { states } = reader;
  const temporaryFolder = join(folder, 'tmp');
  const sync = createRounds((each) => syncFolder(files, each));
  const writing = { files, temporaryFolder, sync };
  const claims = createRecordClaims({ ...writing, folder, clock, label, plan, reader });
  const limit = pLimit(writesAtOnce);
  const creating = new Map<string, Promise<boolean>>();
  /** What waits for a record here waits in line, so that only one of them asks the disk. */
  const inTurn = createTurns<string>();
  const told = new Set<string>();
  let days: { readonly at: number; readonly folders: readonly RecordPlace<State>[] } | undefined;

  /** Whether there is a record, by names alone. */
  function isKnown(id: string): boolean {
    const now = performance.now();
    if (!days || now - days.at >= daysKnownMs) {
      days = { at: now, folders: states.flatMap(reader.foldersOf) };
    }
    const today = states.map((state) => ({ path: join(folder, state, dayOf(clock.now())) }));
    const seconds = reader.secondFolders();
    const folders = [...days.folders, ...reader.claimFolders(), ...today, ...seconds];
    const name = fileNameOf(id);
    return folders.some(({ path }) => existsSync(join(path, name)));
  }

  async function createNew(id: string, record: T): Promise<boolean> {
    if (isKnown(id)) return false;
    const place = reader.folderFor(record);
    const path = join(place, fileNameOf(id));
    const content = wholeText(id, record);
    const second = reader.secondPath(id, plan.placeOf(record).state);
    if (second && !(await createFile(second, content, writing))) return false;
    return claims.inFolder(place, async () => {
      if (!second) return createFile(path, content, writing);
      await files.link(second, path);
      await sync(place);
      return true;
    });
  }

  /** Where a record is, asked for more than once. */
  async function* placesOf(id: string): AsyncGenerator<RecordPlace<State>> {
    for (let number = 0; number < attempts; number += 1) yield* reader.placesOf(id);
  }

  /** The record in whatever state it is, or undefined. `data_damaged` where it cannot be read. */
  async function find(id: string): Promise<FoundRecord<T, State> | undefined> {
    for await (const place of placesOf(id)) {
      const found = await reader.readAt(place);
      if (found) return found;
    }
    return undefined;
  }

  async function isThere(id: string): Promise<boolean> {
    for await (const _ of placesOf(id)) return true;
    return false;
  }

  /** The right to act on a record; undefined where there is none in these states or another has it. */
  async function claim(id: string, wanted?: readonly State[]): Promise<RecordClaim<T> | undefined> {
    for await (const place of reader.placesOf(id, wanted)) {
      if (await reader.isBesideFirst(id, place)) continue;
      const claimed = place.state && (await claims.take(place));
      if (claimed) return claimed;
    }
    return undefined;
  }

  async function claimPatiently(id: string): Promise<RecordClaim<T> | undefined> {
    const until = performance.now() + patienceMs;
    for (let tries = 1; performance.now() < until; tries += 1) {
      const claimed = await claim(id);
      if (claimed) return claimed;
      if (!(await isThere(id))) return undefined;
      if (tries % 20 === 0) await claims.freeAbandoned();
      await delay(retryMs);
    }
    throw new AppError('storage_unavailable', `The record ${id} stays locked by another process.`);
  }

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
        const names = (await reader.namesIn(place)).filter((name) => isWantedName(name, isWanted));
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
  }

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

  async function prepare(): Promise<void> {
    for (const name of ['tmp', 'claimed', 'owners', ...states]) {
      await ensureFolder(files, join(folder, name));
    }
    for (const { path } of reader.secondFolders()) await ensureFolder(files, path);
    await removeLeftovers(files, temporaryFolder);
    await claims.freeAbandoned();
  }

  if (!options.readOnly) await prepare();
  return {
    /** Stores a new record; false (and no change) where its id is known, in whatever state. */
    create(id: string, record: T): Promise<boolean> {
      // One that comes meanwhile could look just when the record moves on.
      const other = creating.get(id);
      if (other) return other.then(() => false);
      const created = limit(() => createNew(id, record)).finally(() => creating.delete(id));
      creating.set(id, created);
      return created;
    },
    find,
    claim,
    /** Applies a change while nobody else changes the record, waiting for others to end theirs. */
    change: <Result>(
      id: string,
      change: (record: T | undefined) => Changed<T, Result> | Promise<Changed<T, Result>>,
    ): Promise<Result> =>
      inTurn(id, async () => {
        const claimed = await claimPatiently(id);
        if (!claimed) return (await change(undefined)).result;
        try {
          const { record, result } = await change(claimed.record);
          if (record) await limit(() => claimed.settle(record));
          return result;
        } finally {
          await claimed.release();
        }
      }),
    /** Removes a record; harmless where there is none. */
    remove: (id: string): Promise<void> =>
      inTurn(id, async () => (await claimPatiently(id))?.remove()),
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
    /** The ids of what other processes have claimed. */
    claimedElsewhere: (): Promise<string[]> =>
      idsOf(reader.claimFolders().filter(({ path }) => path !== claims.ownFolder())),
    /**
     * Removes records of a state kept by day on days before `day`: whole days (of a state without second
     * names), and gives how many days; or of every batch of ids those that `choose` gives (it ends early
     * by throwing), and gives how many records.
     */
    async removeBefore(
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
    },
    freeAbandoned: claims.freeAbandoned,
    /** Gives back everything claimed here. The folder can still be read. */
    close: claims.close,
  };
}

function isWantedName(name: string, isWanted: (id: string) => boolean): boolean {
  const id = idOfName(name);
  return id === undefined || isWanted(id);
}

/** A temporary file lives for milliseconds; an older one belongs to a process that died. */
const temporaryLifeMs = 60_000;

async function removeLeftovers(files: FileLayer, folder: string): Promise<void> {
  try {
    for (const name of await files.readdir(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = await files.stat(path);
      // Files are stamped with the machine's own time, whatever clock the caller goes by.
      if (systemClock.now() - mtimeMs > temporaryLifeMs) await files.unlink(path);
    }
  } catch (cause) {
    if (!isMissing(cause)) throw storageError(cause, folder);
  }
}
