import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Clock, systemClock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import {
  createFile,
  ensureFolder,
  readTextFile,
  syncFolder,
} from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { isMissing, storageError } from '../../../base/files/storage-errors.js';
import { createRounds, createTurns } from '../../../base/turns.js';
import { createRecordClaims, type RecordClaim } from './record-claims.js';
import { dayOf, fileNameOf, type RecordPlan, wholeText } from './record-file.js';
import { createRecordListing, createRecordRemoval } from './record-listing.js';
import { createRecordReader, type FoundRecord, type RecordPlace } from './record-reader.js';

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

/** What to store instead of a record (nothing = leave it) and what to give back. */
export type RecordChange<T, Result> = (record: T | undefined) => Changed<T, Result>;

interface Changed<T, Result> {
  readonly record?: T;
  readonly result: Result;
}

export type RecordFolder<T extends object, State extends string> = Awaited<
  ReturnType<typeof openRecordFolder<T, State>>
>;

/** Files written at once. */
const writesAtOnce = 128;
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
  let days: { readonly at: number; readonly folders: readonly RecordPlace<State>[] } | undefined;

  /** Returns the files of a record, only by their names. */
  function pathsOf(id: string): string[] {
    const now = performance.now();
    if (!days || now - days.at >= daysKnownMs) {
      days = { at: now, folders: states.flatMap(reader.foldersOf) };
    }
    const today = states.map((state) => ({ path: join(folder, state, dayOf(clock.now())) }));
    const seconds = reader.secondFolders();
    const folders = [...days.folders, ...reader.claimFolders(), ...today, ...seconds];
    const name = fileNameOf(id);
    const paths = new Set(folders.map(({ path }) => join(path, name)));
    return [...paths].filter((path) => existsSync(path));
  }

  async function createNew(id: string, record: T): Promise<boolean> {
    if (pathsOf(id).length > 0) return false;
    const place = reader.folderFor(record);
    const path = join(place, fileNameOf(id));
    const content = wholeText(id, record);
    const { state } = plan.placeOf(record);
    const second = reader.secondPath(id, state);
    if (second && !(await createFile(second, content, writing))) return false;
    return claims.inFolder(place, async () => {
      if (!second) {
        const isNew = await createFile(path, content, writing);
        return isNew && isFirst(id, { path, state }, content);
      }
      await files.link(second, path);
      await sync(place);
      return true;
    });
  }

  /**
   * Returns whether a new record is the only one of its ID, and removes it if not: another process may have created and
   * claimed the record before this one took its place.
   */
  async function isFirst(id: string, place: RecordPlace<State>, content: string): Promise<boolean> {
    const isOwn = (text: string) => text.startsWith(content);
    const elsewhere = pathsOf(id).filter((each) => each !== place.path);
    // The place comes last: a record that is given back meanwhile is found there.
    for (const path of [...elsewhere, place.path]) {
      const text = await readTextFile(files, path);
      if (text === undefined || isOwn(text)) continue;
      const copy = await claims.take(place);
      if (copy) {
        const taken = (await readTextFile(files, copy.path)) ?? '';
        await (isOwn(taken) ? copy.remove() : copy.release());
      }
      return false;
    }
    return true;
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
      if (!claimed) continue;
      if (place.state !== states[0] || !(await isDoubled(id, claimed))) return claimed;
      await claimed.remove();
    }
    return undefined;
  }

  /**
   * Returns whether a claimed record is a stale copy: a process that was suspended right before it created the record
   * has created it a second time.
   */
  async function isDoubled(id: string, { path, record }: RecordClaim<T>): Promise<boolean> {
    if (states.length === 1 || plan.placeOf(record).state !== states[0]) return false;
    const others = pathsOf(id).filter((each) => each !== path);
    if (others.length === 0) return false;
    const inodes = await Promise.all(
      [path, ...others].map(async (each) => (await files.stat(each).catch(() => undefined))?.ino),
    );
    const [own, ...theirs] = inodes;
    // Another name of the same file is not another record.
    return theirs.some((each) => each !== undefined && each !== own);
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

  const { onDamaged } = options;
  const listing = createRecordListing({ plan, reader, find, onDamaged });
  const removal = createRecordRemoval({ files, reader, idsIn: listing.idsIn, sync });

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
    /** Returns whether there is a record, only by names. */
    isKnown: (id: string): boolean => pathsOf(id).length > 0,
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
    list: listing.list,
    ids: listing.ids,
    allIds: listing.allIds,
    /** The ids of what other processes have claimed. */
    claimedElsewhere: (): Promise<string[]> => listing.claimedIds(claims.ownFolder()),
    removeBefore: removal.removeBefore,
    freeAbandoned: claims.freeAbandoned,
    /** Gives back everything claimed here. The folder can still be read. */
    close: claims.close,
  };
}

/** A temporary file lives for milliseconds; an older one belongs to a process that died. */
const temporaryLifeMs = 60_000;

/** Removes the temporary files that processes which died have left in a folder. */
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
