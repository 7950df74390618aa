import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { damaged, isMissing, storageError } from '../../base/files/storage-errors.js';
import { parseRecordFile, type RecordFile, type RecordPlan } from './record-file.js';
import { fileNameOf, isDay } from './record-paths.js';

/** A file of a record, and the state whose folder it lies in; without one, some process has claimed it. */
export interface RecordPlace<State extends string> {
  readonly path: string;
  readonly state?: State;
}

/** A record as it was found. */
export interface FoundRecord<T, State extends string> extends RecordFile<T> {
  readonly path: string;
  readonly state: State;
}

export interface RecordReader<T extends object, State extends string> {
  readonly states: readonly State[];
  /** The folder that a record belongs in. */
  folderFor(record: T): string;
  /** The second name of a record, where its state has those. */
  secondPath(id: string, state: State): string | undefined;
  /** Every folder of a state, days rising. */
  foldersOf(state: State): string[];
  /** The folders of the processes that have claimed something. */
  claimFolders(): string[];
  /** Where the file of a record is, likely one place; files that move meanwhile may be missed. */
  placesOf(id: string, states?: readonly State[]): AsyncIterable<RecordPlace<State>>;
  /** What a file holds; undefined where there is none, `data_damaged` where it cannot be believed. */
  readAt(place: RecordPlace<State>): Promise<FoundRecord<T, State> | undefined>;
}

/** Finds and reads the files of a record folder: for those who work on it, export it or check it. */
export function createRecordReader<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  files: FileLayer,
): RecordReader<T, State> {
  const states = Object.keys(plan.states) as State[]; // The keys of a Record<State, …> are its states.

  function folderFor(record: T): string {
    const { state, day = '' } = plan.placeOf(record);
    return plan.states[state] === 'flat' ? join(folder, state) : join(folder, state, day);
  }

  function foldersOf(state: State): string[] {
    const path = join(folder, state);
    if (plan.states[state] === 'flat') return [path];
    const days = namesNow(path).filter(isDay).sort();
    return days.map((day) => join(path, day));
  }

  const claimFolders = () => {
    const path = join(folder, 'claimed');
    return namesNow(path).map((name) => join(path, name));
  };

  const secondPath = (id: string, state: State) =>
    plan.states[state] === 'by-day-and-id'
      ? join(folder, state, 'by-id', fileNameOf(id))
      : undefined;

  async function readAt({ path, state }: RecordPlace<State>) {
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

  return {
    states,
    folderFor,
    secondPath,
    foldersOf,
    claimFolders,
    readAt,
    async *placesOf(id, wanted = states) {
      const name = fileNameOf(id);
      const isThere = (path: string) => existsSync(path);
      for (const state of wanted) {
        if (secondPath(id, state)) continue;
        const paths = foldersOf(state).map((each) => join(each, name));
        yield* paths.filter(isThere).map((path) => ({ path, state }));
      }
      const claimed = claimFolders().map((each) => join(each, name));
      yield* claimed.filter(isThere).map((path) => ({ path }));
      for (const state of wanted) {
        const second = secondPath(id, state);
        if (second === undefined || !isThere(second)) continue;
        const found = await readAt({ path: second, state });
        if (found) yield { path: join(folderFor(found.record), name), state };
        yield { path: second, state };
      }
    },
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
