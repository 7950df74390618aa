import { join } from 'node:path';
import { removeFile } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { damaged } from '../../base/files/storage-errors.js';
import { type AppendLog, openAppendLog } from './append-log.js';
import { isChangeList, journalNumbers } from './collection-files.js';

export interface CollectionJournalsOptions {
  readonly folder: string;
  readonly name: string;
  readonly files: FileLayer;
  /** Number of the first journal that the snapshot does not hold; older ones are removed. */
  readonly first: number;
  /** Called at opening for every line, in order. */
  onChanges(changes: readonly (readonly [string, unknown])[]): void;
}

/** A collection's journals `<name>.<n>.jsonl`: the last one is written to. */
export interface CollectionJournals {
  /** Bytes in all of them. */
  readonly size: number;
  /** Appends a line; what is appended after it comes after it in the files. */
  append(line: string): Promise<void>;
  /**
   * Begins a new journal and gives its number. What the ones before it say is then complete, and
   * every append to them has been acknowledged.
   */
  next(): Promise<number>;
  /** Removes the journals before this one, which a snapshot holds by now. */
  removeBefore(number: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens all journals since the snapshot. One that is missing in between is `data_damaged`. */
export async function openCollectionJournals(
  options: CollectionJournalsOptions,
): Promise<CollectionJournals> {
  const { folder, name, files, onChanges } = options;
  const pathOf = (number: number) => join(folder, `${name}.${number}.jsonl`);

  function open(number: number): Promise<AppendLog> {
    const path = pathOf(number);
    let line = 0;
    const onValue = (value: unknown) => {
      line += 1;
      if (!isChangeList(value)) throw damaged(path, `line ${line}`, 'this is no list of changes');
      onChanges(value);
    };
    return openAppendLog({ path, files, onValue });
  }

  const numbers = await journalNumbers(files, folder, name);
  for (const old of numbers.filter((number) => number < options.first)) {
    await removeFile(files, pathOf(old));
  }
  let { first } = options;
  let number = first;
  const later = numbers.filter((each) => each > first);
  const gap = later.findIndex((each, index) => each !== first + 1 + index);
  if (gap >= 0) throw damaged(pathOf(first + 1 + gap), 'line 1', 'it is missing');
  let journal = await open(number);
  /** Bytes of the journals before the last one. */
  let finishedBytes = 0;
  for (const following of later) {
    finishedBytes += journal.size;
    await journal.close();
    number = following;
    journal = await open(number);
  }
  let switching: Promise<void> | undefined;

  async function change(): Promise<void> {
    const before = journal;
    const after = await open(number + 1);
    try {
      // Appends wait meanwhile, so that nothing in the new journal is older than the old one's end.
      await before.drain();
    } catch (error) {
      await after.close();
      throw error;
    }
    finishedBytes += before.size;
    number += 1;
    journal = after;
    await before.close();
  }

  return {
    get size() {
      return finishedBytes + journal.size;
    },
    async append(line) {
      // A change that failed leaves the old journal in use.
      while (switching) await switching.catch(() => {});
      await journal.append(line);
    },
    async next() {
      switching = change().finally(() => {
        switching = undefined;
      });
      await switching;
      return number;
    },
    async removeBefore(kept) {
      for (; first < kept; first += 1) await removeFile(files, pathOf(first));
      finishedBytes = 0;
    },
    async close() {
      await switching?.catch(() => {});
      await journal.close();
    },
  };
}
