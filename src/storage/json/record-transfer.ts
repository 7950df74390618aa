import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { compareTexts, eachOf, type RecordWriter } from '../../base/records.js';
import { listFolder } from './collection-files.js';
import { type Report, reportError } from './data-checker.js';
import { syncFolders, writeNewFile } from './new-files.js';
import { asDamage, type RecordPlan, wholeText } from './record-file.js';
import type { RecordEntry } from './record-folder.js';
import { fileNameOf, isRecordName } from './record-paths.js';
import { createRecordReader, type FoundRecord } from './record-reader.js';

/** Files read, and files written, at once. */
const concurrency = 16;

export interface ReadingOrder<State extends string> {
  /** States one after the other, the plan's first one first; all in the plan's order unless told. */
  readonly states?: readonly State[];
  /** Within a state ids rise over all days; days and of each day ids unless told. */
  readonly acrossDays?: boolean;
}

/**
 * Every record of a folder that nobody works on, its files untouched. What a process had claimed when it died,
 * and what a crash left in another place than it belongs, comes where it would lie otherwise. `data_damaged`
 * where a file cannot be believed.
 */
export async function* readRecords<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  order: ReadingOrder<State> = {},
): AsyncGenerator<RecordEntry<T, State>> {
  const reader = createRecordReader(folder, plan, systemFiles);
  const { states = reader.states, acrossDays = false } = order;
  /** As many as were worked on at once. */
  const strays: FoundRecord<T, State>[] = [];

  function compare(a: FoundRecord<T, State>, b: FoundRecord<T, State>): number {
    const [one, other] = [a, b].map(({ record }) => (acrossDays ? '' : reader.folderFor(record)));
    return (
      states.indexOf(a.state) - states.indexOf(b.state) ||
      compareTexts(one ?? '', other ?? '') ||
      compareTexts(a.id, b.id)
    );
  }

  async function* inFolders(folders: readonly string[], state?: State) {
    const paths = (await Promise.all(folders.map(recordPaths))).flat();
    for (let start = 0; start < paths.length; start += concurrency) {
      const batch = paths.sort(byId).slice(start, start + concurrency);
      const found = batch.map(({ path }) => reader.readAt({ path, ...(state ? { state } : {}) }));
      for (const each of await Promise.all(found)) if (each) yield each;
    }
  }

  function* straysBefore(found?: FoundRecord<T, State>) {
    strays.sort(compare);
    while (strays[0] && (!found || compare(strays[0], found) <= 0)) {
      const [next] = strays.splice(0, 1);
      if (next && next.id !== found?.id) yield next;
    }
  }

  for await (const found of inFolders(reader.claimFolders())) strays.push(found);
  for (const state of states) {
    const folders = reader.foldersOf(state);
    for (const group of acrossDays ? [folders] : folders.map((each) => [each])) {
      for await (const found of inFolders(group, state)) {
        if (found.state !== state) {
          strays.push(found);
          continue;
        }
        yield* straysBefore(found);
        yield found;
      }
    }
  }
  yield* straysBefore();
}

interface RecordPath {
  readonly path: string;
  readonly name: string;
}

function byId(a: RecordPath, b: RecordPath): number {
  return compareTexts(a.name, b.name);
}

/** The files of records in a folder; names without what follows the id. */
async function recordPaths(folder: string): Promise<RecordPath[]> {
  const names = (await listFolder(systemFiles, folder)).filter(isRecordName);
  return names.map((name) => ({ path: join(folder, name), name: name.slice(0, -5) }));
}

/** Reads every file of a record folder, and reports what is wrong; the next start puts `note`s right. */
export async function checkRecords<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  report: Report,
): Promise<void> {
  const reader = createRecordReader(folder, plan, systemFiles);
  const { states } = reader;
  const places = [
    ...reader.claimFolders().map((place) => ({ place, state: undefined })),
    ...states.flatMap((state) => reader.foldersOf(state).map((place) => ({ place, state }))),
    // Second names are files of their own in a copy.
    ...states.flatMap((state) => {
      const second = reader.secondPath('any', state);
      return second === undefined ? [] : [{ place: dirname(second), state }];
    }),
  ];

  async function check(path: string, state: State | undefined): Promise<void> {
    try {
      const found = await reader.readAt({ path, ...(state ? { state } : {}) });
      if (!found) return;
      if (found.isTorn) report({ ...torn, file: path });
      const second = reader.secondPath(found.id, found.state);
      const first = join(reader.folderFor(found.record), fileNameOf(found.id));
      // A file that moves meanwhile is missed at one look, hardly at two.
      const isLost = (other: string) =>
        !existsSync(other) && existsSync(path) && !existsSync(other);
      if (state === found.state && second && path !== second && isLost(second)) {
        report({ ...nameless, file: path });
      }
      if (path === second && isLost(first) && !(await isElsewhere(found.id, path))) {
        report({ ...nameless, file: path });
      }
    } catch (error) {
      reportError(asDamage(error), path, report);
    }
  }

  async function isElsewhere(id: string, path: string): Promise<boolean> {
    for await (const place of reader.placesOf(id)) if (place.path !== path) return true;
    return false;
  }

  for (const { place, state } of places) {
    for (const { path } of await recordPaths(place)) await check(path, state);
  }
}

const torn = {
  severity: 'note',
  message: 'The last line is torn: a crash cut it off before it was acknowledged.',
  advice: 'Nothing to do: the next change of the record drops it.',
} as const;

const nameless = {
  severity: 'error',
  message: 'The second name of this record is missing.',
  advice: 'Run msgsite data check --repair.',
} as const;

/**
 * Fills a record folder that nobody works on yet, each record under an id of its own. One takes the place
 * of another with the same id.
 */
export function recordWriter<Given extends object, T extends object>(
  kind: string,
  folder: string,
  plan: RecordPlan<T>,
  toStored: (given: Given) => readonly [id: string, record: T],
): RecordWriter {
  const reader = createRecordReader(folder, plan, systemFiles);
  return {
    kind,
    async write(records) {
      const folders = new Set<string>();
      const prepare = async (place: string) => {
        if (!folders.has(place)) await ensureFolder(systemFiles, place);
        folders.add(place);
      };
      for (const state of reader.states) await prepare(join(folder, state));
      await eachOf(records as AsyncIterable<Given>, concurrency, async (given) => {
        const [id, record] = toStored(given);
        const place = reader.folderFor(record);
        await prepare(place);
        const path = join(place, fileNameOf(id));
        await writeNewFile(path, wholeText(id, record));
        const second = reader.secondPath(id, plan.placeOf(record).state);
        if (!second) return;
        await prepare(dirname(second));
        await systemFiles.link(path, second).catch((cause) => {
          throw storageError(cause, second);
        });
      });
      await syncFolders(folders);
    },
  };
}
