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
import { fileNameOf, type RecordPlan, wholeText } from './record-file.js';
import { createRecordListing, createRecordRemoval } from './record-listing.js';
import { createRecordReader, type FoundRecord, type RecordPlace } from './record-reader.js';

/**
 * A record folder stores small JSON records, one file each, in a folder for each state:
 *
 *     <folder>/open/<id>.jsonl                a flat state
 *     <folder>/ended/2026-07-28/<id>.jsonl    a state that is stored by (UTC) day
 *     <folder>/ended/by-id/<id>.jsonl         a second name of the same file, if the state has those
 *     <folder>/claimed/<owner>/<id>.jsonl     a record that this process is working on
 *     <folder>/owners/<owner>.json            the identity of that process
 *     <folder>/tmp/                           files being written
 *
 * Several processes share it without a lock. At any moment, a record is one file. Claiming a record renames the file
 * into the process's own folder, where no other process changes it. The change is written and synced there, and the
 * file is renamed to the folder of its new state. The content is authoritative: if a crash leaves a file in a different
 * folder, the next process that finds it moves it. When a method resolves, its change is on disk; I/O errors are
 * `storage_unavailable`. A damaged record does not affect others.
 */

export interface RecordFolderOptions<T extends object, State extends string> {
  readonly folder: string;
  readonly plan: RecordPlan<T, State>;
  readonly clock: Clock;
  /** The name of this process in owner files, such as `serve` or `pay`. */
  readonly label?: string;
  readonly files?: FileLayer;
  /** Creates and removes nothing; the folder need not exist. */
  readonly readOnly?: boolean | undefined;
  /** Called once for each damaged file, which lists then skip. Without this function, lists throw. */
  onDamaged?(error: AppError): void;
}

/** Returns the new record, if it changes, and the result for the caller. */
export type RecordChange<T, Result> = (record: T | undefined) => Changed<T, Result>;

interface Changed<T, Result> {
  readonly record?: T;
  readonly result: Result;
}

export type RecordFolder<T extends object, State extends string> = Awaited<
  ReturnType<typeof openRecordFolder<T, State>>
>;

/** Maximum number of files that are written concurrently. */
const maxWrites = 128;
/** Number of attempts to find a record. A single attempt may miss a record that is being moved. */
const attempts = 3;
/** Maximum time to wait for a claim, in milliseconds. A claim that lasts longer belongs to a process that hangs. */
const patienceMs = 10_000;
const retryMs = 5;

/** Opens a record folder: creates missing folders and releases the claims of dead processes. */
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
  const limit = pLimit(maxWrites);
  const creating = new Map<string, Promise<boolean>>();
  /** Callers that wait for the same record take turns, so that only one of them polls the disk. */
  const inTurn = createTurns<string>();

  /** Finds the files of a record by name, without reading them. */
  function pathsOf(id: string): string[] {
    const folders = [
      ...states.flatMap(reader.foldersOf),
      ...reader.claimFolders(),
      ...reader.secondFolders(),
    ];
    const name = fileNameOf(id);
    return folders.map(({ path }) => join(path, name)).filter((path) => existsSync(path));
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
   * Returns whether a new record is the only one with its ID, and removes it if not. Another process may have created
   * and claimed the record just before.
   */
  async function isFirst(id: string, place: RecordPlace<State>, content: string): Promise<boolean> {
    const isOwn = (text: string) => text.startsWith(content);
    const elsewhere = pathsOf(id).filter((each) => each !== place.path);
    // The new path comes last, because a record that is released in the meantime is found there.
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

  /** Searches for a record several times. */
  async function* placesOf(id: string): AsyncGenerator<RecordPlace<State>> {
    for (let number = 0; number < attempts; number += 1) yield* reader.placesOf(id);
  }

  /** Returns a record in any state, or undefined. Rejects with `data_damaged` if it is damaged. */
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

  /** Claims a record. Returns undefined if it has none of these states, or if another process has claimed it. */
  async function claim(id: string, among?: readonly State[]): Promise<RecordClaim<T> | undefined> {
    for await (const place of reader.placesOf(id, among)) {
      if (await reader.isBesideFirst(id, place)) continue;
      const claimed = place.state && (await claims.take(place));
      if (!claimed) continue;
      if (place.state !== states[0] || !(await isDoubled(id, claimed))) return claimed;
      await claimed.remove();
    }
    return undefined;
  }

  /**
   * Returns whether a claimed record is an outdated copy. A process that was suspended just before it created a record
   * may create it a second time.
   */
  async function isDoubled(id: string, { path, record }: RecordClaim<T>): Promise<boolean> {
    if (states.length === 1 || plan.placeOf(record).state !== states[0]) return false;
    const others = pathsOf(id).filter((each) => each !== path);
    if (others.length === 0) return false;
    const inodes = await Promise.all(
      [path, ...others].map(async (each) => (await files.stat(each).catch(() => undefined))?.ino),
    );
    const [own, ...theirs] = inodes;
    // A second name of the same file is not a second record.
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
    throw new AppError(
      'storage_unavailable',
      `Another process has been using the record ${id} for too long.`,
    );
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
    /** Stores a new record. Returns false and changes nothing if a record with this ID exists in any state. */
    create(id: string, record: T): Promise<boolean> {
      // Concurrent calls share one search, because a second one could miss a record that is being moved.
      const other = creating.get(id);
      if (other) return other.then(() => false);
      const created = limit(() => createNew(id, record)).finally(() => creating.delete(id));
      creating.set(id, created);
      return created;
    },
    find,
    claim,
    /** Claims a record, waiting for other claims to end, and applies a change. */
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
    /** Removes a record if it exists. */
    remove: (id: string): Promise<void> =>
      inTurn(id, async () => (await claimPatiently(id))?.remove()),
    list: listing.list,
    ids: listing.ids,
    allIds: listing.allIds,
    /** Returns the IDs of records that other processes have claimed. */
    claimedElsewhere: (): Promise<string[]> => listing.claimedIds(claims.ownFolder()),
    removeBefore: removal.removeBefore,
    freeAbandoned: claims.freeAbandoned,
    /** Releases all claims of this process. The folder can still be read. */
    close: claims.close,
  };
}

/** Age at which a temporary file must belong to a dead process, in milliseconds. Writing takes far less. */
const temporaryLifeMs = 60_000;

/** Removes temporary files of dead processes. */
async function removeLeftovers(files: FileLayer, folder: string): Promise<void> {
  try {
    for (const name of await files.readdir(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = await files.stat(path);
      // File times come from the machine's clock, not from the caller's.
      if (systemClock.now() - mtimeMs > temporaryLifeMs) await files.unlink(path);
    }
  } catch (cause) {
    if (!isMissing(cause)) throw storageError(cause, folder);
  }
}
