/**
 * A spool keeps small JSON records, one file each, in state folders:
 *
 *     <folder>/open/<id>.json            a plain state
 *     <folder>/ended/2026-07-28/<id>.json    a state kept by (UTC) day, for retention by whole days
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
import type { Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import {
  createFile,
  ensureFolder,
  readTextFile,
  replaceFile,
  syncFolder,
} from './durable-write.js';
import { type FileLayer, systemFiles } from './file-layer.js';
import { parseJsonText } from './json-text.js';
import { createClaims, type Lease } from './spool-claims.js';
import { dayOf, fileNameOf, isDay, isSpoolRecord } from './spool-paths.js';
import { damaged, isMissing, storageError } from './storage-errors.js';

export interface SpoolOptions<State extends string> {
  readonly folder: string;
  /** Every state and how it is kept: flat, or in one folder a day. */
  readonly states: Readonly<Record<State, 'flat' | 'by-day'>>;
  readonly clock: Clock;
  readonly files?: FileLayer;
  /** How many records are read or written at once; 16 unless told. */
  readonly concurrency?: number;
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
  /** The right to act on a record, or undefined where there is no such record or another has it. */
  claim(id: string, owner: string, leaseMs: number): Promise<SpoolClaim<T, State> | undefined>;
  /** Removes whole days before `day` (`YYYY-MM-DD`) of a state kept by day; gives how many days. */
  removeDaysBefore(state: State, day: string): Promise<number>;
}

/** What a file holds: `revision` rises with every change and decides where a crash left two files. */
interface SpoolFile<T> {
  readonly id: string;
  readonly revision: number;
  readonly record: T;
}

interface Found<T, State extends string> {
  readonly path: string;
  readonly state: State;
  readonly day?: string;
  readonly file: SpoolFile<T>;
}

/**
 * Opens a spool: creates its folders, removes temporary files of dead processes and claims that ended
 * long ago. What is read back is trusted to be a `T`, as only this program writes it.
 */
export async function createSpool<T extends object, State extends string>(
  options: SpoolOptions<State>,
): Promise<Spool<T, State>> {
  const { folder, states, clock, files = systemFiles, concurrency = 16 } = options;
  const limit = pLimit(concurrency);
  const names = Object.keys(states) as State[]; // The keys of a Record<State, …> are its states.
  const temporaryFolder = join(folder, 'tmp');
  const claimFolder = join(folder, 'claims');
  for (const name of ['', 'tmp', 'claims', ...names]) await ensureFolder(files, join(folder, name));
  const claims = createClaims(files, claimFolder, clock);
  await removeLeftovers(files, temporaryFolder, clock);
  await claims.sweep().catch((cause) => {
    throw storageError(cause, claimFolder);
  });

  const fileIn = (place: string, id: string) => join(place, `${fileNameOf(id)}.json`);

  async function listNames(path: string): Promise<string[]> {
    try {
      return await files.readdir(path);
    } catch (cause) {
      if (isMissing(cause)) return [];
      throw storageError(cause, path);
    }
  }

  async function daysOf(state: State): Promise<string[]> {
    return (await listNames(join(folder, state))).filter(isDay).sort();
  }

  /** Folder of new records of a state. */
  function placeOf(state: State, day: string | undefined): { place: string; day?: string } {
    if (states[state] === 'flat') return { place: join(folder, state) };
    const chosen = day ?? dayOf(clock.now());
    if (!isDay(chosen)) throw new AppError('internal_error', `${chosen} is not a day.`);
    return { place: join(folder, state, chosen), day: chosen };
  }

  async function places(): Promise<{ place: string; state: State; day?: string }[]> {
    const all = await Promise.all(
      names.map(async (state) =>
        states[state] === 'flat'
          ? [{ place: join(folder, state), state }]
          : (await daysOf(state)).map((day) => ({ place: join(folder, state, day), state, day })),
      ),
    );
    return all.flat();
  }

  async function readFileAt(path: string): Promise<SpoolFile<T> | undefined> {
    const text = await limit(() => readTextFile(files, path));
    if (text === undefined) return undefined;
    const value = parseJsonText(text, path);
    if (!isSpoolRecord(value)) throw damaged(path, 'line 1', 'id, revision or record is missing');
    return value as SpoolFile<T>; // Written by this program; see the comment on createSpool.
  }

  /** Every file of an id, the newest revision first; more than one only after a crash. */
  async function findAll(id: string): Promise<Found<T, State>[]> {
    const found = await Promise.all(
      (await places()).map(async ({ place, ...rest }) => {
        const path = fileIn(place, id);
        const file = await readFileAt(path);
        return file?.id === id ? [{ path, file, ...rest }] : [];
      }),
    );
    return found.flat().sort((a, b) => b.file.revision - a.file.revision);
  }

  /** A record that moves while we look may be missed once: the second look finds it. */
  async function find(id: string): Promise<Found<T, State> | undefined> {
    return (await findAll(id))[0] ?? (await findAll(id))[0];
  }

  async function findOrFail(id: string): Promise<readonly Found<T, State>[]> {
    const all = await findAll(id);
    if (all.length === 0) throw new AppError('not_found', `There is no record ${id}.`);
    return all;
  }

  const entryOf = ({ state, day, file }: Found<T, State>): SpoolEntry<T, State> => ({
    id: file.id,
    state,
    record: file.record,
    ...(day === undefined ? {} : { day }),
  });

  const textOf = (file: SpoolFile<T>) => `${JSON.stringify(file)}\n`;
  const writing = { files, temporaryFolder };

  async function removeOthers(others: readonly Found<T, State>[], kept: string): Promise<void> {
    for (const { path } of others.filter((other) => other.path !== kept)) {
      await files.unlink(path).catch((cause) => {
        if (!isMissing(cause)) throw storageError(cause, path);
      });
      await syncFolder(files, join(path, '..')).catch((cause) => {
        throw storageError(cause, path);
      });
    }
  }

  return {
    async create(id, state, record, day) {
      const before = await find(id);
      if (before) return { ...entryOf(before), created: false };
      const target = placeOf(state, day);
      await ensureFolder(files, target.place);
      const file: SpoolFile<T> = { id, revision: 1, record };
      const path = fileIn(target.place, id);
      const written = await limit(() => createFile(path, textOf(file), writing));
      // Another process may have created the id meanwhile, and even have moved it on.
      const [newest, ...others] = await findOrFail(id);
      if (newest && newest.path !== path && written) await removeOthers(others, newest.path);
      if (newest && (newest.path !== path || !written))
        return { ...entryOf(newest), created: false };
      return { ...entryOf({ path, state, file, ...dayPart(target.day) }), created: true };
    },
    async read(id) {
      const found = await find(id);
      return found && entryOf(found);
    },
    async update(id, record) {
      const [newest] = await findOrFail(id);
      if (!newest) throw new AppError('not_found', `There is no record ${id}.`);
      const file = { id, revision: newest.file.revision + 1, record };
      await limit(() => replaceFile(newest.path, textOf(file), writing));
      return entryOf({ ...newest, file });
    },
    async move(id, to, { record, day } = {}) {
      const all = await findOrFail(id);
      const [newest] = all;
      if (!newest) throw new AppError('not_found', `There is no record ${id}.`);
      const target = placeOf(to, day);
      await ensureFolder(files, target.place);
      const path = fileIn(target.place, id);
      const revision = newest.file.revision + 1;
      const file = { id, revision, record: record ?? newest.file.record };
      // The new file is the moment of change: from then on its higher revision is what counts.
      await limit(() => replaceFile(path, textOf(file), writing));
      await removeOthers(all, path);
      return entryOf({ path, state: to, file, ...dayPart(target.day) });
    },
    async *list(state, { from = '', to = '~', onDamaged } = {}) {
      const chosen =
        states[state] === 'flat'
          ? [undefined]
          : (await daysOf(state)).filter((day) => day >= from && day <= to);
      for (const day of chosen) {
        const { place } = placeOf(state, day);
        const paths = (await listNames(place)).filter((name) => name.endsWith('.json'));
        for (let start = 0; start < paths.length; start += concurrency) {
          const batch = paths.slice(start, start + concurrency).map(async (name) => {
            const path = join(place, name);
            const file = await readFileAt(path).catch(reportDamage(onDamaged));
            return file && { path, state, file, ...dayPart(day) };
          });
          for (const found of await Promise.all(batch)) if (found) yield entryOf(found);
        }
      }
    },
    async ids(state) {
      const paths = (await listNames(join(folder, state))).filter((name) => name.endsWith('.json'));
      const short = paths.filter((name) => !name.includes('%h'));
      const ids = short.map((name) => decodeURIComponent(name.slice(0, -'.json'.length)));
      for (const name of paths.filter((path) => path.includes('%h'))) {
        const file = await readFileAt(join(folder, state, name));
        if (file) ids.push(file.id);
      }
      return ids;
    },
    async claim(id, owner, leaseMs) {
      const lease = await limit(() => claims.take(id, owner, leaseMs)).catch((cause) => {
        throw storageError(cause, claimFolder);
      });
      if (!lease) return undefined;
      try {
        const [newest, ...others] = await findAll(id);
        if (newest) {
          await removeOthers(others, newest.path);
          return { entry: entryOf(newest), renew: lease.renew, release: lease.release };
        }
      } catch (error) {
        await lease.release().catch(() => {});
        throw error;
      }
      await lease.release();
      return undefined;
    },
    async removeDaysBefore(state, day) {
      const days = states[state] === 'flat' ? [] : (await daysOf(state)).filter((d) => d < day);
      for (const old of days) {
        const path = join(folder, state, old);
        await files.rm(path, { recursive: true, force: true }).catch((cause) => {
          throw storageError(cause, path);
        });
      }
      return days.length;
    },
  };
}

function dayPart(day: string | undefined): { readonly day?: string } {
  return day === undefined ? {} : { day };
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
