import { join } from 'node:path';
import type { LimitFunction } from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { readTextFile, removeFile, syncFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { damaged, storageError } from '../../base/files/storage-errors.js';
import { parseJsonText } from '../../json/parse-text.js';
import { listFolder } from './collection-files.js';
import { createSpoolIndex, type SpoolIndex } from './spool-index.js';
import { dayOf, fileNameOf, isDay, isSpoolRecord } from './spool-paths.js';

/** What a file holds: `revision` rises with every change and decides where a crash left two files. */
export interface SpoolFile<T> {
  readonly id: string;
  readonly revision: number;
  /** The day it lies under, in a state whose records are found by id. */
  readonly day?: string;
  readonly record: T;
}

/**
 * How a state is kept: flat; in one folder a day, whole days of which are removed soon; or in one folder
 * a day for long, with an index, so that finding a record costs the same however many days there are.
 */
export type StateKind = 'flat' | 'by-day' | 'by-day-and-id';

/** A folder that records lie in. */
export interface SpoolPlace<State extends string> {
  readonly folder: string;
  readonly state: State;
  /** For a state kept by day, the day. */
  readonly day?: string;
  /** Where the state has an index. */
  readonly index?: SpoolIndex;
}

/** A record's file and where it lies. */
export interface FoundFile<T, State extends string> extends SpoolPlace<State> {
  readonly path: string;
  readonly file: SpoolFile<T>;
}

export interface SpoolFilesOptions<State extends string> {
  readonly folder: string;
  /** Where files are written before they get their names. */
  readonly temporaryFolder: string;
  readonly states: Readonly<Record<State, StateKind>>;
  readonly clock: Clock;
  readonly files: FileLayer;
  /** Bounds how many files are open at once. */
  readonly limit: LimitFunction;
}

/** Where a spool's records lie, and finding them. */
export function createSpoolFiles<T, State extends string>(options: SpoolFilesOptions<State>) {
  const { folder, states, clock, files, limit } = options;
  const names = Object.keys(states) as State[]; // The keys of a Record<State, …> are its states.
  const indexes = new Map<State, SpoolIndex>();
  for (const state of names.filter((name) => states[name] === 'by-day-and-id')) {
    indexes.set(state, createSpoolIndex({ ...options, folder: join(folder, state) }));
  }

  function placeOf(state: State, day?: string): SpoolPlace<State> {
    if (day === undefined) return { folder: join(folder, state), state };
    const index = indexes.get(state);
    return { folder: join(folder, state, day), state, day, ...(index ? { index } : {}) };
  }

  /** Every folder of a state, days rising. */
  async function placesOf(state: State): Promise<SpoolPlace<State>[]> {
    if (states[state] === 'flat') return [placeOf(state)];
    const days = (await listFolder(files, join(folder, state))).filter(isDay);
    return days.map((day) => placeOf(state, day));
  }

  /** The folders of a state that a record may lie in. */
  async function placesFor(state: State, id: string): Promise<SpoolPlace<State>[]> {
    const index = indexes.get(state);
    if (!index) return placesOf(state);
    const day = await index.dayOf(id);
    return day === undefined ? [] : [placeOf(state, day)];
  }

  /** The folder that a record of a state is put into; today's where no day is given. */
  function placeFor(state: State, day = dayOf(clock.now())): SpoolPlace<State> {
    if (states[state] === 'flat') return placeOf(state);
    if (!isDay(day)) throw new AppError('internal_error', `${day} is not a day.`);
    return placeOf(state, day);
  }

  const pathIn = (place: SpoolPlace<State>, id: string) =>
    join(place.folder, `${fileNameOf(id)}.json`);

  /** `data_damaged` where the file is not a spool's. */
  async function readAt(path: string): Promise<SpoolFile<T> | undefined> {
    const text = await limit(() => readTextFile(files, path));
    if (text === undefined) return undefined;
    const value = parseJsonText(text, path);
    if (!isSpoolRecord(value)) throw damaged(path, 'line 1', 'id, revision or record is missing');
    return value as SpoolFile<T>; // Only this program writes here, and only a T.
  }

  async function lookIn(place: SpoolPlace<State>, id: string): Promise<FoundFile<T, State>[]> {
    const path = pathIn(place, id);
    const file = await readAt(path);
    return file?.id === id ? [{ ...place, path, file }] : [];
  }

  /** Every file of an id, the newest revision first; more than one only after a crash. */
  async function findAll(id: string): Promise<FoundFile<T, State>[]> {
    const found = names.map(async (state) => {
      const places = await placesFor(state, id);
      return (await Promise.all(places.map((place) => lookIn(place, id)))).flat();
    });
    return (await Promise.all(found)).flat().sort((a, b) => b.file.revision - a.file.revision);
  }

  return {
    names,
    indexes,
    placesOf,
    placeFor,
    pathIn,
    readAt,
    findAll,
    /** The newest file of an id. One that moves while we look may be missed once, not twice. */
    async find(id: string): Promise<FoundFile<T, State> | undefined> {
      return (await findAll(id))[0] ?? (await findAll(id))[0];
    },
    /** Removes the files of a record that are older than the one to keep. */
    async removeOthers(all: readonly FoundFile<T, State>[], kept: string): Promise<void> {
      for (const { path, folder: place, index, file } of all) {
        if (path === kept) continue;
        await index?.forget(file.id);
        await removeFile(files, path);
        await syncFolder(files, place).catch((cause) => {
          throw storageError(cause, place);
        });
      }
    },
  };
}
