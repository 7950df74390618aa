/**
 * A spool keeps small JSON records, one file each, in state folders:
 *
 *     <folder>/open/<id>.json            a plain state
 *     <folder>/ended/2026-07-28/<id>.json    a state kept by (UTC) day, for retention by days
 *     <folder>/ended/by-id/<id>.json         the same file, where such a state is kept for long
 *     <folder>/claims/                   who works on which record just now
 *     <folder>/tmp/                      files being written
 *
 * Several processes share it without a lock. Every change is on disk (file and folder fsynced) before
 * its promise resolves; a reader sees the record before or after it, never half of it. I/O errors are
 * `storage_unavailable` and change nothing.
 *
 * Rules for its users:
 * - An id names one record over all states. `create` with an id that exists changes nothing.
 * - Whoever acts on a record takes a claim first and works with the record the claim gives, which was
 *   read after the claim was taken; `list` is a hint at what there is to do.
 * - `update` and `move` of a record that several processes could act on need the claim.
 * - Pass `day` (of the time the record ended, say) when you move into a state kept by day.
 */
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import {
  createFile,
  ensureFolder,
  removeFile,
  replaceFile,
} from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { listFolder } from './collection-files.js';
import { createClaims, type Lease } from './spool-claims.js';
import {
  createSpoolFiles,
  type FoundFile,
  type SpoolFile,
  type SpoolPlace,
  type StateKind,
} from './spool-files.js';

export interface SpoolOptions<State extends string> {
  readonly folder: string;
  /** Every state and how it is kept. */
  readonly states: Readonly<Record<State, StateKind>>;
  readonly clock: Clock;
  readonly files?: FileLayer;
  /** How many records are read or written at once; 16 unless told. */
  readonly concurrency?: number;
  /** Nothing is made or tidied: for those who only look, also where there is nothing yet. */
  readonly readOnly?: boolean | undefined;
}

/** A record and where it stands. */
export interface SpoolEntry<T, State extends string> {
  readonly id: string;
  readonly state: State;
  /** For a state kept by day, the day. */
  readonly day?: string;
  readonly record: T;
}

export interface SpoolClaim<T, State extends string> extends Lease {
  /** The record as it was right after the claim was taken. */
  readonly entry: SpoolEntry<T, State>;
}

export interface ListOptions {
  /** Only these days (of a state kept by day): from and to, both included, `YYYY-MM-DD`. */
  readonly from?: string;
  readonly to?: string;
  /** Called for a record whose file is damaged, which is then left out; without it, that is thrown. */
  onDamaged?(error: AppError): void;
}

/** Of the ids, gives those whose records may be removed. */
export type ChooseOld = (ids: readonly string[]) => Promise<readonly string[]>;

export interface Spool<T, State extends string> {
  /** Stores a new record; where the id exists in any state, nothing changes and `created` is false. */
  create(
    id: string,
    state: State,
    record: T,
    day?: string,
  ): Promise<SpoolEntry<T, State> & { readonly created: boolean }>;
  /** The record in whatever state it is, or undefined. */
  read(id: string): Promise<SpoolEntry<T, State> | undefined>;
  /** Replaces the record where it is; `not_found` where there is none. */
  update(id: string, record: T): Promise<SpoolEntry<T, State>>;
  /** Puts the record into another state, with new content where `record` is given; in one step. */
  move(
    id: string,
    to: State,
    options?: { readonly record?: T; readonly day?: string },
  ): Promise<SpoolEntry<T, State>>;
  /** Every record of a state, in no order within a day (days rise); memory stays bounded. */
  list(state: State, options?: ListOptions): AsyncIterable<SpoolEntry<T, State>>;
  /** The ids of a flat state, without reading the records; cheap for a look at what is new. */
  ids(state: State): Promise<string[]>;
  /**
   * Removes records of a state kept by day on days before `day`. A batch of ids after the other is given
   * to `choose`, which gives those that may go; it ends early by throwing. A day that is empty then goes
   * with its folder. Gives how many were removed.
   */
  removeBefore(state: State, day: string, choose: ChooseOld): Promise<number>;
  /** The right to act on a record, or undefined where there is no such record or another has it. */
  claim(id: string, owner: string, leaseMs: number): Promise<SpoolClaim<T, State> | undefined>;
  /** Removes whole days before `day` (`YYYY-MM-DD`) of a state without an index; gives how many days. */
  removeDaysBefore(state: State, day: string): Promise<number>;
  /** Removes a record; harmless where there is none. After a power cut it may be there again. */
  remove(id: string): Promise<void>;
}

/**
 * Opens a spool: creates its folders, removes temporary files of dead processes and claims that ended
 * long ago. What is read back is trusted to be a `T`, as only this program writes it.
 */
export async function createSpool<T extends object, State extends string>(
  options: SpoolOptions<State>,
): Promise<Spool<T, State>> {
  const { folder, clock, files = systemFiles, concurrency = 16 } = options;
  const limit = pLimit(concurrency);
  /** Removals read and remove several files each, so they cannot wait in the same line. */
  const removals = pLimit(concurrency);
  const temporaryFolder = join(folder, 'tmp');
  const spool = createSpoolFiles<T, State>({ ...options, files, limit, temporaryFolder });
  const claimFolder = join(folder, 'claims');
  const claims = createClaims(files, claimFolder, clock);
  if (!options.readOnly) await prepare();

  async function prepare(): Promise<void> {
    for (const name of ['', 'tmp', 'claims', ...spool.names]) {
      await ensureFolder(files, join(folder, name));
    }
    await removeLeftovers(files, temporaryFolder, clock);
    for (const index of spool.indexes.values()) await index.complete();
    await claims.sweep().catch((cause) => {
      throw storageError(cause, claimFolder);
    });
  }

  async function findOrFail(id: string): Promise<readonly [Found, ...Found[]]> {
    const [newest, ...others] = await spool.findAll(id);
    if (newest) return [newest, ...others];
    throw new AppError('not_found', `There is no record ${id}.`);
  }
  type Found = FoundFile<T, State>;

  /** Path, text and options of writing a file to a place. */
  function writing(place: SpoolPlace<State>, file: SpoolFile<T>) {
    const { index, day } = place;
    const text = `${JSON.stringify(index ? { ...file, day } : file)}\n`;
    const second = index ? { secondPath: index.pathOf(file.id) } : {};
    return [spool.pathIn(place, file.id), text, { files, temporaryFolder, ...second }] as const;
  }

  async function claimed(id: string, lease: Lease): Promise<SpoolClaim<T, State> | undefined> {
    const all = await spool.findAll(id);
    const [newest] = all;
    if (!newest) return undefined;
    await spool.removeOthers(all, newest.path);
    return { entry: entryOf(newest), renew: lease.renew, release: lease.release };
  }

  /** A cut name does not tell its id, so the file is read; one that is gone meanwhile is left out. */
  async function idsOf(place: string, names: readonly string[]): Promise<string[]> {
    const ids = names.map(async (name) => {
      if (!isCut(name)) return decodeURIComponent(name.slice(0, -recordSuffix.length));
      return (await spool.readAt(join(place, name)))?.id;
    });
    return (await Promise.all(ids)).filter((id) => id !== undefined);
  }

  async function removeFrom(place: SpoolPlace<State>, id: string): Promise<void> {
    const path = spool.pathIn(place, id);
    const all = await spool.findAll(id);
    if (all[0]?.path === path) {
      // What a crash left in another state goes first: alone, it would count again.
      await spool.removeOthers(all, path);
      await place.index?.forget(id);
    }
    await removeFile(files, path);
  }

  async function removeFolder(path: string): Promise<void> {
    await files.rm(path, { recursive: true, force: true }).catch((cause) => {
      throw storageError(cause, path);
    });
  }

  return {
    async create(id, state, record, day) {
      const before = await spool.find(id);
      if (before) return { ...entryOf(before), created: false };
      const place = spool.placeFor(state, day);
      await ensureFolder(files, place.folder);
      const path = spool.pathIn(place, id);
      const isWritten = await limit(() =>
        createFile(...writing(place, { id, revision: 1, record })),
      );
      // Another process may have created the id meanwhile, and even have moved it on.
      const all = await findOrFail(id);
      const [newest] = all;
      if (isWritten) await spool.removeOthers(all, newest.path);
      return { ...entryOf(newest), created: isWritten && newest.path === path };
    },
    async read(id) {
      const found = await spool.find(id);
      return found && entryOf(found);
    },
    async update(id, record) {
      const [newest] = await findOrFail(id);
      const file = { id, revision: newest.file.revision + 1, record };
      await limit(() => replaceFile(...writing(newest, file)));
      return entryOf({ ...newest, file });
    },
    async move(id, to, { record, day } = {}) {
      const all = await findOrFail(id);
      const { revision, record: old } = all[0].file;
      // Where an index leads to a day, the record stays on it.
      const place = all.find((each) => each.state === to && each.index) ?? spool.placeFor(to, day);
      await ensureFolder(files, place.folder);
      const path = spool.pathIn(place, id);
      const file = { id, revision: revision + 1, record: record ?? old };
      // The new file is the moment of change: from then on its higher revision is what counts.
      await limit(() => replaceFile(...writing(place, file)));
      await spool.removeOthers(all, path);
      return entryOf({ ...place, path, file });
    },
    async *list(state, { from = '', to = '~', onDamaged } = {}) {
      for (const place of await spool.placesOf(state)) {
        if (place.day !== undefined && (place.day < from || place.day > to)) continue;
        const names = (await listFolder(files, place.folder)).filter(isRecordFile);
        for (let start = 0; start < names.length; start += concurrency) {
          const batch = names.slice(start, start + concurrency).map(async (name) => {
            const path = join(place.folder, name);
            const file = await spool.readAt(path).catch(reportDamage(onDamaged));
            return file && entryOf({ ...place, path, file });
          });
          for (const entry of await Promise.all(batch)) if (entry) yield entry;
        }
      }
    },
    async ids(state) {
      const place = join(folder, state);
      return idsOf(place, (await listFolder(files, place)).filter(isRecordFile));
    },
    async removeBefore(state, day, choose) {
      let removed = 0;
      for (const place of await spool.placesOf(state)) {
        if (place.day === undefined || place.day >= day) continue;
        const names = (await listFolder(files, place.folder)).filter(isRecordFile);
        for (let start = 0; start < names.length; start += idsAtOnce) {
          const ids = await idsOf(place.folder, names.slice(start, start + idsAtOnce));
          const chosen = await choose(ids);
          await Promise.all(chosen.map((id) => removals(() => removeFrom(place, id))));
          removed += chosen.length;
        }
        if ((await listFolder(files, place.folder)).length === 0) await removeFolder(place.folder);
      }
      return removed;
    },
    async claim(id, owner, leaseMs) {
      const lease = await limit(() => claims.take(id, owner, leaseMs)).catch((cause) => {
        throw storageError(cause, claimFolder);
      });
      if (!lease) return undefined;
      try {
        const claim = await claimed(id, lease);
        if (!claim) await lease.release();
        return claim;
      } catch (error) {
        await lease.release().catch(() => {});
        throw error;
      }
    },
    async removeDaysBefore(state, day) {
      const places = await spool.placesOf(state);
      const old = places.filter((place) => place.day !== undefined && place.day < day);
      for (const place of old) await removeFolder(place.folder);
      return old.length;
    },
    async remove(id) {
      for (const { path, index } of await spool.findAll(id)) {
        await index?.forget(id);
        await removeFile(files, path);
      }
    },
  };
}

/** Ids given at a time, so that memory does not grow with a day's records. */
const idsAtOnce = 500;

const recordSuffix = '.json';

function isRecordFile(name: string): boolean {
  return name.endsWith(recordSuffix);
}

/** Names of very long ids are cut and do not tell the id. */
function isCut(name: string): boolean {
  return name.includes('%h');
}

function entryOf<T, State extends string>(found: FoundFile<T, State>): SpoolEntry<T, State> {
  const { state, day, file } = found;
  return { id: file.id, state, record: file.record, ...(day === undefined ? {} : { day }) };
}

function reportDamage(onDamaged: ((error: AppError) => void) | undefined) {
  return (error: unknown): undefined => {
    if (!onDamaged || !(error instanceof AppError) || error.code !== 'data_damaged') throw error;
    onDamaged(error);
  };
}

/** A temporary file lives for milliseconds; an old one belongs to a process that died. */
const temporaryLifeMs = 60_000;

async function removeLeftovers(files: FileLayer, folder: string, clock: Clock): Promise<void> {
  try {
    for (const name of await files.readdir(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = await files.stat(path);
      if (clock.now() - mtimeMs > temporaryLifeMs) await files.unlink(path);
    }
  } catch (cause) {
    if (!isMissing(cause)) throw storageError(cause, folder);
  }
}
