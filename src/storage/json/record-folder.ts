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
import { type Clock, systemClock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { createFile, ensureFolder, removeFile } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { createClaimFolders } from './claim-folders.js';
import { listFolder } from './collection-files.js';
import { createGroupSync } from './group-sync.js';
import { createRecordClaims, type RecordClaim } from './record-claims.js';
import { asDamage, type RecordPlan, wholeText } from './record-file.js';
import { dayOf, fileNameOf, idOfName, isRecordName } from './record-paths.js';
import { createRecordReader, type FoundRecord } from './record-reader.js';

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
  onDamaged?(error: AppError): void;
}

export interface RecordFolder<T extends object, State extends string> {
  /** Stores a new record; false (and no change) where its id is known, in whatever state. */
  create(id: string, record: T): Promise<boolean>;
  /** The record in whatever state it is, or undefined. `data_damaged` where it cannot be read. */
  find(id: string): Promise<RecordEntry<T, State> | undefined>;
  /** The right to act on a record; undefined where there is none in these states or another has it. */
  claim(id: string, states?: readonly State[]): Promise<RecordClaim<T> | undefined>;
  /** Applies a change while nobody else changes the record, waiting for others to end theirs. */
  change<Result>(
    id: string,
    change: (record: T | undefined) => Changed<T, Result> | Promise<Changed<T, Result>>,
  ): Promise<Result>;
  /** Removes a record; harmless where there is none. */
  remove(id: string): Promise<void>;
  /** Every record of these states, what is claimed included, days rising; in bounded memory. */
  list(states: readonly State[], options?: ListOptions): AsyncGenerator<RecordEntry<T, State>>;
  /** The ids in the folder of a flat state, without reading the records. */
  ids(state: State): Promise<string[]>;
  /** The same and those of what is claimed. */
  allIds(state: State): Promise<string[]>;
  /** The ids of what other processes have claimed. */
  claimedElsewhere(): Promise<string[]>;
  /**
   * Removes records of a state kept by day on days before `day`: whole days (of a state without second
   * names), and gives how many days; or of every batch of ids those that `choose` gives (it ends early by
   * throwing), and gives how many records.
   */
  removeBefore(
    state: State,
    day: string,
    choose?: (ids: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number>;
  /** Puts back what processes that died had claimed. */
  freeAbandoned(): Promise<void>;
  /** Gives back everything claimed here. The folder can still be read. */
  close(): Promise<void>;
}

/** Files written, and files read for a list, at once. */
const writesAtOnce = 128;
const readAhead = 32;
/** Ids given to a choice at a time, so that memory does not grow with a day's records. */
const idsAtOnce = 500;
/** A record that moves may be missed at one look, hardly at two. */
const looks = 3;
/** A change takes milliseconds; a longer claim belongs to a process that hangs. */
const patienceMs = 10_000;
const retryMs = 5;
/** How long the list of days is taken as known when a record is created. */
const daysKnownMs = 1_000;

/** Opens a record folder: makes what is missing, and frees what processes that died have left. */
export async function openRecordFolder<T extends object, State extends string>(
  options: RecordFolderOptions<T, State>,
): Promise<RecordFolder<T, State>> {
  const { folder, plan, clock, label = 'msgsite', files = systemFiles } = options;
  const reader = createRecordReader(folder, plan, files);
  const { states } = reader;
  const temporaryFolder = join(folder, 'tmp');
  const sync = createGroupSync(files);
  const claimFolders = createClaimFolders({ files, folder, clock, label });
  const claims = createRecordClaims({
    ...{ files, plan, reader, claimFolders, sync, temporaryFolder },
    lost: join(folder, states[0] ?? ''),
  });
  const writing = { files, temporaryFolder, sync };
  const limit = pLimit(writesAtOnce);
  const creating = new Map<string, Promise<boolean>>();
  const turns = new Map<string, Promise<unknown>>();
  const told = new Set<string>();
  let days: { readonly at: number; readonly folders: readonly string[] } | undefined;

  /** Whether there is a record, by names alone. */
  function isKnown(id: string): boolean {
    const now = performance.now();
    if (!days || now - days.at >= daysKnownMs) {
      days = { at: now, folders: states.flatMap(reader.foldersOf) };
    }
    const today = states.map((state) => join(folder, state, dayOf(clock.now())));
    const name = fileNameOf(id);
    const paths = [...days.folders, ...reader.claimFolders(), ...today].map((f) => join(f, name));
    const seconds = states.flatMap((state) => reader.secondPath(id, state) ?? []);
    return [...paths, ...seconds].some((path) => existsSync(path));
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

  async function find(id: string): Promise<FoundRecord<T, State> | undefined> {
    for (let look = 0; look < looks; look += 1) {
      for await (const place of reader.placesOf(id)) {
        const found = await reader.readAt(place);
        if (found) return found;
      }
    }
    return undefined;
  }

  async function isThere(id: string): Promise<boolean> {
    for (let look = 0; look < looks; look += 1) {
      for await (const _ of reader.placesOf(id)) return true;
    }
    return false;
  }

  async function claim(id: string, wanted?: readonly State[]) {
    for await (const place of reader.placesOf(id, wanted)) {
      const claimed = place.state && (await claims.take(place.path, place.state));
      if (claimed) return claimed;
    }
    return undefined;
  }

  /** What waits for a record here waits in line, so that only one of them asks the disk. */
  function inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (turns.get(id) ?? Promise.resolve()).catch(() => {}).then(work);
    turns.set(id, turn);
    const done = () => {
      if (turns.get(id) === turn) turns.delete(id);
    };
    turn.then(done, done);
    return turn;
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

  const recordNames = async (place: string) =>
    (await listFolder(files, place)).filter(isRecordName);

  /** A cut name does not tell its id, so the file is read; one that is gone meanwhile is left out. */
  async function idsIn(place: string, names: readonly string[]): Promise<string[]> {
    const ids = names.map(
      async (name) => idOfName(name) ?? (await reader.readAt({ path: join(place, name) }))?.id,
    );
    return (await Promise.all(ids)).filter((id) => id !== undefined);
  }

  async function idsOf(places: readonly string[]): Promise<string[]> {
    const ids = places.map(async (place) => idsIn(place, await recordNames(place)));
    return (await Promise.all(ids)).flat();
  }

  function tellOnce(error: AppError): void {
    if (!options.onDamaged) throw error;
    if (!told.has(error.message)) options.onDamaged(error);
    told.add(error.message);
  }

  /** What a list meets: a file that has moved on since its name was read is looked for. */
  async function readListed(place: string, name: string, state: State | undefined) {
    const found = await reader.readAt({ path: join(place, name), ...(state ? { state } : {}) });
    const id = idOfName(name);
    return found ?? (id === undefined ? undefined : find(id));
  }

  async function* list(wanted: readonly State[], listing: ListOptions = {}) {
    const { latestDaysFirst = false, onDamaged = tellOnce } = listing;
    const claimed = () => reader.claimFolders().map((place) => ({ place, state: undefined }));
    const kept = wanted.flatMap((state) => {
      const places = reader.foldersOf(state).map((place) => ({ place, state }));
      return latestDaysFirst ? places.reverse() : places;
    });
    // What is kept by day is not remembered; it is not met again but where it is claimed.
    const seen = new Set<string>();
    const isFlat = (state: State) => plan.states[state] === 'flat';
    for (const { place, state, isLast } of [
      ...claimed().map((each) => ({ ...each, isLast: false })),
      ...kept.map((each) => ({ ...each, isLast: false })),
      // What was claimed while its folder was read, and is no longer there.
      ...claimed().map((each) => ({ ...each, isLast: true })),
    ]) {
      const names = await recordNames(place);
      for (let start = 0; start < names.length; start += readAhead) {
        const batch = names
          .slice(start, start + readAhead)
          .map((name) =>
            readListed(place, name, state).catch((error) => onDamaged(asDamage(error))),
          );
        for (const found of await Promise.all(batch)) {
          if (!found || !wanted.includes(found.state) || seen.has(found.id)) continue;
          if (isLast && !isFlat(found.state)) continue;
          if (state === undefined || isFlat(state)) seen.add(found.id);
          yield found;
        }
      }
    }
  }

  async function removeChosen(state: State, place: string, ids: readonly string[]): Promise<void> {
    const seconds = ids.flatMap((id) => reader.secondPath(id, state) ?? []);
    // Alone, a second name would bring its record back.
    await Promise.all(seconds.map((path) => removeFile(files, path)));
    if (seconds[0]) await sync(dirname(seconds[0]));
    await Promise.all(ids.map((id) => removeFile(files, join(place, fileNameOf(id)))));
  }

  async function removeFolder(path: string): Promise<void> {
    await files.rm(path, { recursive: true, force: true }).catch((cause) => {
      throw storageError(cause, path);
    });
  }

  async function prepare(): Promise<void> {
    for (const name of ['tmp', 'claimed', 'owners', ...states]) {
      await ensureFolder(files, join(folder, name));
    }
    for (const state of states) {
      const second = reader.secondPath('any', state);
      if (second) await ensureFolder(files, dirname(second));
    }
    await removeLeftovers(files, temporaryFolder);
    await claims.freeAbandoned();
  }

  if (!options.readOnly) await prepare();
  return {
    create(id, record) {
      // One that comes meanwhile could look just when the record moves on.
      const other = creating.get(id);
      if (other) return other.then(() => false);
      const created = limit(() => createNew(id, record)).finally(() => creating.delete(id));
      creating.set(id, created);
      return created;
    },
    find,
    claim,
    change: (id, change) =>
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
    remove: (id) => inTurn(id, async () => (await claimPatiently(id))?.remove()),
    list,
    ids: (state) => idsOf([join(folder, state)]),
    async allIds(state) {
      const claimed = await idsOf(reader.claimFolders());
      const unclaimed = await idsOf([join(folder, state)]);
      // What was claimed before the second look and given up before the first is in neither.
      return [...new Set([...claimed, ...unclaimed, ...(await idsOf(reader.claimFolders()))])];
    },
    claimedElsewhere: () =>
      idsOf(reader.claimFolders().filter((place) => place !== claimFolders.current())),
    async removeBefore(state, day, choose) {
      let removed = 0;
      for (const place of reader.foldersOf(state).filter((each) => basename(each) < day)) {
        const names = choose ? await recordNames(place) : [];
        for (let start = 0; start < names.length && choose; start += idsAtOnce) {
          const chosen = await choose(await idsIn(place, names.slice(start, start + idsAtOnce)));
          await removeChosen(state, place, chosen);
          removed += chosen.length;
        }
        if (!choose) removed += 1;
        if (!choose || (await listFolder(files, place)).length === 0) await removeFolder(place);
      }
      return removed;
    },
    freeAbandoned: claims.freeAbandoned,
    close: claims.close,
  };
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
