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

/**
 * A file of a record, or a folder of them, and the state that it is kept under; undefined where some process
 * has claimed it.
 */
export interface RecordPlace<State extends string> {
  readonly path: string;
  readonly state: State | undefined;
}

/** A record as it was found. */
export interface FoundRecord<T, State extends string> extends RecordFile<T> {
  readonly path: string;
  readonly state: State;
}

export type RecordReader<T extends object, State extends string> = ReturnType<
  typeof createRecordReader<T, State>
>;

/** Milliseconds; a new record gets its first name much sooner after its second one. */
const creationMs = 5_000;

/** Finds and reads the files of a record folder: for those who work on it, export it or check it. */
export function createRecordReader<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  files: FileLayer,
) {
  const states = Object.keys(plan.states) as State[]; // The keys of a Record<State, …> are its states.

  /** The folder that a record belongs in. */
  function folderFor(record: T): string {
    const { state, day = '' } = plan.placeOf(record);
    return plan.states[state] === 'flat' ? join(folder, state) : join(folder, state, day);
  }

  /** Every folder of a state, days rising. */
  function foldersOf(state: State): RecordPlace<State>[] {
    const path = join(folder, state);
    if (plan.states[state] === 'flat') return [{ path, state }];
    const days = namesNow(path).filter(isDay).sort();
    return days.map((day) => ({ path: join(path, day), state }));
  }

  /** The folders of the processes that have claimed something. */
  function claimFolders(): RecordPlace<State>[] {
    const path = join(folder, 'claimed');
    return namesNow(path).map((name) => ({ path: join(path, name), state: undefined }));
  }

  /** The folders of second names, of those states that have them. */
  function secondFolders(): RecordPlace<State>[] {
    const named = states.filter((state) => plan.states[state] === 'by-day-and-id');
    return named.map((state) => ({ path: join(folder, state, 'by-id'), state }));
  }

  /** The second name of a record, where its state has those. */
  function secondPath(id: string, state: State): string | undefined {
    if (plan.states[state] !== 'by-day-and-id') return undefined;
    return join(folder, state, 'by-id', fileNameOf(id));
  }

  /** The names of records in a folder, sorted. */
  async function namesIn({ path }: RecordPlace<State>): Promise<string[]> {
    return (await listFolder(files, path)).filter(isRecordName);
  }

  /** The files of records in folders; the names that stand for their ids rise. */
  async function filesIn(places: readonly RecordPlace<State>[]): Promise<RecordPlace<State>[]> {
    const found = places.map(async (place) => {
      const names = await namesIn(place);
      return names.map((name) => ({ ...place, path: join(place.path, name), id: idPart(name) }));
    });
    return (await Promise.all(found)).flat().sort((a, b) => compareTexts(a.id, b.id));
  }

  /** What a file holds; undefined where there is none, `data_damaged` where it cannot be believed. */
  async function readAt({
    path,
    state,
  }: RecordPlace<State>): Promise<FoundRecord<T, State> | undefined> {
    const bytes = await readBytes(files, path);
    if (bytes === undefined) return undefined;
    const file = parseRecordFile(bytes, path, plan);
    const said = plan.placeOf(file.record).state;
    // A crash after a change leaves the file where it was: at first, the content says how it stands.
    if (state === undefined || state === said || state === states[0]) {
      return { ...file, path, state: said };
    }
    const record = plan.believed?.(file.record, state);
    if (record) return { ...file, record, path, state };
    const fault = `it lies in ${state}/, but says that it is ${said}`;
    throw damaged(path, `line ${file.lines}`, fault);
  }

  /** Where the file of a record is, likely one place; files that move meanwhile may be missed. */
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
   * Whether a place is a second name whose record has its first one, too, there or where somebody has
   * claimed it, or is about to get it: only what a crash has left without is claimed by its second name.
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
    // One that moves between the two is missed by one attempt, hardly by two in a row.
    if (isClaimed() || existsSync(first) || isClaimed() || existsSync(first)) return true;
    // It may lie under another day since.
    if ((await firstPath()) !== first) return true;
    const { mtimeMs } = await files.stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    // Files are stamped with the machine's own time.
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
 * Names in a folder; none where there is no such folder. Looks into the system's cache of names, which
 * takes less time than handing the question to a thread.
 */
function namesNow(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw storageError(cause, folder);
  }
}
