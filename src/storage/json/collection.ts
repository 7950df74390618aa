import { join } from 'node:path';
import { Low } from 'lowdb';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { damaged } from '../../base/files/storage-errors.js';
import { openCollectionJournals } from './collection-journals.js';
import { durableJsonFile } from './durable-json-file.js';

export type Key = string | number;

export interface CollectionOptions<T> {
  /** An existing folder; the collection's files are `<name>.json` and `<name>.<n>.jsonl` in it. */
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  /** What a record is found by. */
  keyOf(record: T): Key;
  /** Whether a record has ended by itself at a time (ms); it is then not found, and dropped in time. */
  isExpired?(record: T, now: number): boolean;
  /** Called for every record that enters memory (at opening too), and before one leaves it. */
  onPut?(record: T, previous: T | undefined): void;
  onDelete?(record: T): void;
  /** Told when a fold into the snapshot failed; nothing is lost, it is tried again later. */
  onFoldFailed?(error: unknown): void;
  readonly files?: FileLayer;
  /** Bytes of journal that are never worth folding; 1 MiB unless told. */
  readonly smallestJournal?: number;
}

/**
 * Records in memory, each change in a journal before it counts. Records are immutable: change one by
 * putting another in its place. Every promise resolves when the change is on disk, and only then is
 * it visible; when the disk fails it rejects with `storage_unavailable` and nothing has changed.
 */
export interface Collection<T> {
  readonly size: number;
  get(key: Key): T | undefined;
  values(): IterableIterator<T>;
  put(record: T): Promise<void>;
  /** Several records at once: all of them or none. */
  putAll(records: readonly T[]): Promise<void>;
  /** Replaces a record by what `change` makes of it; changes of one record never overtake each other. */
  update(key: Key, change: (record: T) => T): Promise<T | undefined>;
  delete(key: Key): Promise<void>;
  close(): Promise<void>;
}

/** A line of the journal: changes that happen together. */
type JournalLine<T> = readonly (readonly ['put', T] | readonly ['delete', Key])[];

/** `journal` is the number of the first journal that is not folded in. */
interface Snapshot<T> {
  readonly format: 1;
  readonly journal: number;
  readonly records: readonly T[];
}

const defaultSmallestJournal = 1024 * 1024;

/**
 * Opens a collection: the snapshot, then every journal since. Once the journals outgrow the snapshot
 * they are folded into a new one beside the running work; each step leaves files that open again.
 */
export async function openCollection<T>(options: CollectionOptions<T>): Promise<Collection<T>> {
  const { folder, name, clock, files = systemFiles, keyOf } = options;
  const { smallestJournal = defaultSmallestJournal, isExpired = () => false } = options;
  const records = new Map<Key, T>();
  const inTurn = createTurns();
  const snapshotPath = join(folder, `${name}.json`);

  function apply(changes: JournalLine<T>): void {
    for (const change of changes) {
      if (change[0] === 'put') set(change[1]);
      else remove(change[1]);
    }
  }

  function set(record: T): void {
    const key = keyOf(record);
    const previous = records.get(key);
    records.set(key, record);
    options.onPut?.(record, previous);
  }

  function remove(key: Key): void {
    const record = records.get(key);
    if (record === undefined) return;
    options.onDelete?.(record);
    records.delete(key);
  }

  const snapshot = await readSnapshot<T>(files, snapshotPath);
  for (const record of snapshot.records) set(record);
  const journals = await openCollectionJournals({
    folder,
    name,
    files,
    first: snapshot.journal,
    // Written by this program for this very collection.
    onChanges: (changes) => apply(changes as unknown as JournalLine<T>),
  });
  let foldedBytes = await sizeOf(files, snapshotPath);
  dropExpired();

  let closed = false;
  let folding: Promise<void> | undefined;
  /** After a fold that failed, no new attempt before the journals have grown to this. */
  let foldAt = 0;

  async function write(changes: JournalLine<T>): Promise<void> {
    await journals.append(JSON.stringify(changes));
    apply(changes);
    if (!closed && isFoldDue()) folding ??= fold();
  }

  function isFoldDue(): boolean {
    return journals.size > Math.max(smallestJournal, foldedBytes, foldAt);
  }

  async function fold(): Promise<void> {
    try {
      const journal = await journals.next();
      dropExpired();
      const low = new Low<Snapshot<T>>(snapshotFile(files, snapshotPath), {
        format: 1,
        journal,
        records: [...records.values()],
      });
      await low.write();
      foldAt = 0;
      foldedBytes = await sizeOf(files, snapshotPath);
      await journals.removeBefore(journal);
    } catch (error) {
      foldAt = journals.size * 1.5;
      options.onFoldFailed?.(error);
    } finally {
      folding = undefined;
    }
  }

  function dropExpired(): void {
    const now = clock.now();
    for (const [key, record] of records) if (isExpired(record, now)) remove(key);
  }

  function get(key: Key): T | undefined {
    const record = records.get(key);
    return record === undefined || isExpired(record, clock.now()) ? undefined : record;
  }

  return {
    get size() {
      return records.size;
    },
    get,
    values: () => records.values(),
    put: (record) => write([['put', record]]),
    putAll: (all) =>
      all.length === 0 ? Promise.resolve() : write(all.map((record) => ['put', record])),
    update: (key, change) =>
      inTurn(key, async () => {
        const record = get(key);
        if (record === undefined) return undefined;
        const changed = change(record);
        await write([['put', changed]]);
        return changed;
      }),
    delete: (key) => write([['delete', key]]),
    async close() {
      closed = true;
      await folding;
      await journals.close();
    },
  };
}

/** Runs work on one key after the work on it that was asked for before. */
function createTurns() {
  const last = new Map<Key, Promise<unknown>>();
  return async function inTurn<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const quiet = turn.catch(() => {});
    last.set(key, quiet);
    try {
      return await turn;
    } finally {
      if (last.get(key) === quiet) last.delete(key);
    }
  };
}

async function readSnapshot<T>(files: FileLayer, path: string): Promise<Snapshot<T>> {
  const low = new Low<Snapshot<T>>(snapshotFile(files, path), {
    format: 1,
    journal: 1,
    records: [],
  });
  await low.read();
  return low.data;
}

function snapshotFile<T>(files: FileLayer, path: string) {
  const check = (data: unknown): Snapshot<T> => {
    const { format, journal, records } = (data ?? {}) as Partial<Snapshot<T>>;
    if (format !== undefined && format !== 1) {
      throw new AppError('data_damaged', `${path} has the format ${String(format)}, not 1.`, {
        hint: 'It was probably written by a newer msgsite; use that version.',
      });
    }
    if (format !== 1 || !Number.isSafeInteger(journal) || !Array.isArray(records)) {
      throw damaged(path, 'line 1', 'format, journal or records is missing');
    }
    return data as Snapshot<T>; // Its records were written by this program for this collection.
  };
  return durableJsonFile<Snapshot<T>>({ path, check, files });
}

async function sizeOf(files: FileLayer, path: string): Promise<number> {
  const stats = await files.stat(path).catch(() => undefined);
  return stats?.size ?? 0;
}
