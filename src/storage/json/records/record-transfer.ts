import { basename, dirname, join } from 'node:path';
import { ensureFolder, syncFolder, withFile, writeAll } from '../../../base/files/durable-write.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { storageError } from '../../../base/files/storage-errors.js';
import { compareTexts, eachOf, type RecordWriter } from '../../../base/records.js';
import { fileNameOf, idPart, type RecordPlan, wholeText } from './record-file.js';
import type { RecordEntry } from './record-listing.js';
import { createRecordReader, type FoundRecord, type RecordPlace } from './record-reader.js';

/** Maximum number of files that are read or written concurrently. */
const concurrency = 16;

export interface ReadingOrder<State extends string> {
  /** States in reading order, beginning with the plan's first state; by default, all in the plan's order. */
  readonly states?: readonly State[];
  /** Sorts the records of a state by ID only; by default, by day and then by ID. */
  readonly acrossDays?: boolean;
  /** Returns the sort key of an ID; by default, the ID. */
  sortedAs?(id: string): string;
}

/**
 * Reads every record of a folder that no process uses, without changing its files. A record that a dead process had
 * claimed, or that a crash left in a different folder, is yielded in its correct position. Rejects with `data_damaged`
 * if a file is damaged.
 */
export async function* readRecords<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
  order: ReadingOrder<State> = {},
): AsyncGenerator<RecordEntry<T, State>> {
  const reader = createRecordReader(folder, plan, systemFiles);
  const { states = reader.states, acrossDays = false, sortedAs } = order;
  const orderOf = sortedAs ?? ((id: string) => id);
  /** Records outside their folder. There are at most as many as were claimed concurrently. */
  const strays: FoundRecord<T, State>[] = [];

  function compare(a: FoundRecord<T, State>, b: FoundRecord<T, State>): number {
    const [one, other] = [a, b].map(({ record }) => (acrossDays ? '' : reader.folderFor(record)));
    return (
      states.indexOf(a.state) - states.indexOf(b.state) ||
      compareTexts(one ?? '', other ?? '') ||
      compareTexts(orderOf(a.id), orderOf(b.id))
    );
  }

  async function* inFolders(folders: readonly RecordPlace<State>[]) {
    const all = await reader.filesIn(folders);
    const nameIn = ({ path }: RecordPlace<State>) => orderOf(idPart(basename(path)));
    if (sortedAs) all.sort((a, b) => compareTexts(nameIn(a), nameIn(b)));
    for (let start = 0; start < all.length; start += concurrency) {
      const batch = all.slice(start, start + concurrency).map(reader.readAt);
      for (const found of await Promise.all(batch)) if (found) yield found;
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
      for await (const found of inFolders(group)) {
        if (found.state !== state) strays.push(found);
        else {
          yield* straysBefore(found);
          yield found;
        }
      }
    }
  }
  yield* straysBefore();
}

/**
 * Returns a writer that fills a record folder which no process uses yet. A record replaces an earlier one with the same
 * ID.
 */
export function recordWriter<Input extends object, T extends object>(
  kind: string,
  folder: string,
  plan: RecordPlan<T>,
  toStored: (input: Input) => readonly [id: string, record: T],
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
      await eachOf(records as AsyncIterable<Input>, concurrency, async (input) => {
        const [id, record] = toStored(input);
        const place = reader.folderFor(record);
        await prepare(place);
        const path = join(place, fileNameOf(id));
        const second = reader.secondPath(id, plan.placeOf(record).state);
        if (second) await prepare(dirname(second));
        try {
          await writeNew(path, wholeText(id, record));
          if (second) await systemFiles.link(path, second);
        } catch (cause) {
          throw storageError(cause, path);
        }
      });
      for (const each of folders) await syncFolder(systemFiles, each);
    },
  };
}

/** Writes a file in place and syncs its content. Nothing reads it before the folder is complete. */
function writeNew(path: string, text: string): Promise<void> {
  return withFile(systemFiles, path, 'w', async (file) => {
    await writeAll(file, Buffer.from(text), 0);
    await file.datasync();
  });
}
