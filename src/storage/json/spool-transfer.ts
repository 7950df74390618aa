import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { ensureFolder, syncFolder, writeAll } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { listFolder } from './collection-files.js';
import type { SpoolEntry } from './spool.js';
import { createSpoolFiles, type StateKind } from './spool-files.js';

interface SpoolPlan<State extends string> {
  readonly folder: string;
  readonly states: Readonly<Record<State, StateKind>>;
}

/** Records read at once, and files open at once. */
const concurrency = 16;
const suffix = '.json';
/** Days are always given where one is needed. */
const noClock: Clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };

/**
 * Every record of a state of a spool that nobody works on, its files untouched: days rise, and ids within a
 * day; or ids rise over all days. `data_damaged` where a file is none of a spool's.
 */
export async function* readSpool<T, State extends string>(
  plan: SpoolPlan<State>,
  state: State,
  order: 'by day' | 'by id' = 'by day',
): AsyncGenerator<SpoolEntry<T, State>> {
  const spool = openFiles<T, State>(plan);
  const places = (await Promise.all(spool.names.map(spool.placesOf))).flat();
  async function readOne(path: string) {
    const name = basename(path);
    const file = await spool.readAt(path);
    // A crash between the two steps of a move leaves two files; the newer one counts.
    const all = places.map(({ folder }) => join(folder, name)).filter((each) => existsSync(each));
    const others = all.length > 1 ? await Promise.all(all.map(spool.readAt)) : [];
    const isOld = others.some((other) => other && file && other.revision > file.revision);
    return isOld ? undefined : file;
  }

  const wanted = places.filter((place) => place.state === state).map(({ folder }) => folder);
  for (const folders of order === 'by day' ? wanted.map((folder) => [folder]) : [wanted]) {
    const group = (await Promise.all(folders.map(recordPaths))).flat().sort(byName);
    for (let start = 0; start < group.length; start += concurrency) {
      const batch = group.slice(start, start + concurrency);
      for (const file of await Promise.all(batch.map(readOne))) {
        if (file) yield { id: file.id, state, record: file.record };
      }
    }
  }
}

function openFiles<T, State extends string>(plan: SpoolPlan<State>) {
  return createSpoolFiles<T, State>({
    ...plan,
    temporaryFolder: join(plan.folder, 'tmp'),
    clock: noClock,
    files: systemFiles,
    limit: pLimit(concurrency),
  });
}

function byName(a: string, b: string): number {
  return basename(a, suffix) < basename(b, suffix) ? -1 : 1;
}

/** The files of records in a folder. */
async function recordPaths(folder: string): Promise<string[]> {
  const names = (await listFolder(systemFiles, folder)).filter((name) => name.endsWith(suffix));
  return names.map((name) => join(folder, name));
}

/** Fills a spool that nobody works on yet. */
export interface SpoolWriter<State extends string> {
  /** Stores a record in the place of one with the same id; its name is durable after `finish`. */
  put(id: string, state: State, record: object, day?: string): Promise<void>;
  /** Makes the names of all records durable. */
  finish(): Promise<void>;
}

export async function createSpoolWriter<State extends string>(
  plan: SpoolPlan<State>,
): Promise<SpoolWriter<State>> {
  const spool = openFiles<object, State>(plan);
  const folders = new Set<string>();
  for (const name of spool.names) await ensureFolder(systemFiles, join(plan.folder, name));
  for (const index of spool.indexes.values()) await index.begin();
  return {
    async put(id, state, record, day) {
      const place = spool.placeFor(state, day);
      if (!folders.has(place.folder)) await ensureFolder(systemFiles, place.folder);
      folders.add(place.folder);
      const path = spool.pathIn(place, id);
      const { index } = place;
      const file = { id, revision: 1, record, ...(index ? { day } : {}) };
      await writeNewFile(path, `${JSON.stringify(file)}\n`);
      if (!index) return;
      const second = index.pathOf(id);
      await systemFiles.link(path, second).catch((cause) => {
        throw storageError(cause, second);
      });
      folders.add(dirname(second));
    },
    finish: () => syncFolders(folders),
  };
}

/** Writes a file in place and syncs its content, for where nobody reads before all is complete. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  try {
    const file = await systemFiles.open(path, 'w');
    try {
      await writeAll(file, Buffer.from(text), 0);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Makes the names in folders durable. */
export async function syncFolders(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) {
    await syncFolder(systemFiles, folder).catch((cause) => {
      throw storageError(cause, folder);
    });
  }
}
