import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../base/clock.js';
import { listFolder, readBytes } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { damaged, isMissing, storageError } from '../../../base/files/storage-errors.js';
import { compareTexts } from '../../../base/records.js';
import {
  fileNameOf,
  idPart,
  isDay,
  isRecordName,
  parseRecordFile,
  type RecordFile,
  type RecordPlan,
} from './record-file.js';

/** The path of a record's file or of a folder of records, and the folder's state; undefined for a claim folder. */
export interface RecordPlace<State extends string> {
  readonly path: string;
  readonly state: State | undefined;
}

/** A record that was read from a file. */
export interface FoundRecord<T, State extends string> extends RecordFile<T> {
  readonly path: string;
  readonly state: State;
}

export type RecordReader<T extends object, State extends string> = ReturnType<
  typeof createRecordReader<T, State>
>;

/** Time within which a new record receives its first name after its second one, in milliseconds. */
const creationMs = 5_000;

/** Finds and reads the files of a record folder. */
export function createRecordReader<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  files: FileLayer,
) {
  const states = Object.keys(plan.states) as State[]; // The keys of a Record<State, …> are its states.

  /** Returns the folder that a record belongs in. */
  function folderFor(record: T): string {
    const { state, day = '' } = plan.placeOf(record);
    return plan.states[state] === 'flat' ? join(folder, state) : join(folder, state, day);
  }

  /** Returns every folder of a state, by ascending day. */
  function foldersOf(state: State): RecordPlace<State>[] {
    const path = join(folder, state);
    if (plan.states[state] === 'flat') return [{ path, state }];
    const days = namesNow(path).filter(isDay).sort();
    return days.map((day) => ({ path: join(path, day), state }));
  }

  /** Returns the claim folders of all processes. */
  function claimFolders(): RecordPlace<State>[] {
    const path = join(folder, 'claimed');
    return namesNow(path).map((name) => ({ path: join(path, name), state: undefined }));
  }

  /** Returns the folders of second names. */
  function secondFolders(): RecordPlace<State>[] {
    const named = states.filter((state) => plan.states[state] === 'by-day-and-id');
    return named.map((state) => ({ path: join(folder, state, 'by-id'), state }));
  }

  /** Returns the second name of a record, if its state has second names. */
  function secondPath(id: string, state: State): string | undefined {
    if (plan.states[state] !== 'by-day-and-id') return undefined;
    return join(folder, state, 'by-id', fileNameOf(id));
  }

  /** Returns the names of records in a folder, sorted. */
  async function namesIn({ path }: RecordPlace<State>): Promise<string[]> {
    return (await listFolder(files, path)).filter(isRecordName);
  }

  /** Returns the files of records in folders, sorted by the part of the name that represents the ID. */
  async function filesIn(places: readonly RecordPlace<State>[]): Promise<RecordPlace<State>[]> {
    const found = places.map(async (place) => {
      const names = await namesIn(place);
      return names.map((name) => ({ ...place, path: join(place.path, name), id: idPart(name) }));
    });
    return (await Promise.all(found)).flat().sort((a, b) => compareTexts(a.id, b.id));
  }

  /** Reads a file. Returns undefined if it does not exist; rejects with `data_damaged` if it is damaged. */
  async function readAt({
    path,
    state,
  }: RecordPlace<State>): Promise<FoundRecord<T, State> | undefined> {
    const bytes = await readBytes(files, path);
    if (bytes === undefined) return undefined;
    const file = parseRecordFile(bytes, path, plan);
    const actual = plan.placeOf(file.record).state;
    // A crash after a change may leave the file in the first state's folder, so the content is authoritative there.
    if (state === undefined || state === actual || state === states[0]) {
      return { ...file, path, state: actual };
    }
    const record = plan.believed?.(file.record, state);
    if (record) return { ...file, record, path, state };
    const fault = `it is in ${state}/, but its state is ${actual}`;
    throw damaged(path, `line ${file.lines}`, fault);
  }

  /** Yields the paths of a record's file, usually one. May miss a file that is being moved. */
  async function* placesOf(
    id: string,
    wanted: readonly State[] = states,
  ): AsyncGenerator<RecordPlace<State>> {
    const name = fileNameOf(id);
    const filesIn = (folders: readonly RecordPlace<State>[]) =>
      folders
        .map(({ path, state }) => ({ path: join(path, name), state }))
        .filter(({ path }) => existsSync(path));
    for (const state of wanted) if (!secondPath(id, state)) yield* filesIn(foldersOf(state));
    yield* filesIn(claimFolders());
    for (const state of wanted) {
      const second = secondPath(id, state);
      if (second === undefined || !existsSync(second)) continue;
      const found = await readAt({ path: second, state });
      if (found) yield { path: join(folderFor(found.record), name), state };
      yield { path: second, state };
    }
  }

  /**
   * Returns whether a path is the second name of a record whose first name exists, in its folder or in a claim folder,
   * or is about to be created. A record may be claimed by its second name only if a crash prevented the first one.
   */
  async function isBesideFirst(id: string, place: RecordPlace<State>): Promise<boolean> {
    const { path, state } = place;
    if (state === undefined || path !== secondPath(id, state)) return false;
    const name = fileNameOf(id);
    const firstPath = async () => {
      const found = await readAt(place);
      return found && join(folderFor(found.record), name);
    };
    const first = await firstPath();
    if (first === undefined) return true;
    const isClaimed = () => claimFolders().some((each) => existsSync(join(each.path, name)));
    // One check may miss a file that is being moved. Two checks in a row are very unlikely to miss it.
    if (isClaimed() || existsSync(first) || isClaimed() || existsSync(first)) return true;
    // It may have moved to another day.
    if ((await firstPath()) !== first) return true;
    const { mtimeMs } = await files.stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    // File times come from the machine's clock, not from the caller's.
    return systemClock.now() - mtimeMs < creationMs;
  }

  return {
    states,
    isBesideFirst,
    folderFor,
    foldersOf,
    claimFolders,
    secondFolders,
    secondPath,
    namesIn,
    filesIn,
    readAt,
    placesOf,
  };
}

/**
 * Returns the names in a folder; none if it does not exist. Synchronous, because reading the system's cache of names
 * takes less time than waiting for a thread.
 */
function namesNow(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw storageError(cause, folder);
  }
}
