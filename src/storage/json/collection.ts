import { join } from 'node:path';
import { Low } from 'lowdb';
import type { Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import { type AppendLog, openAppendLog } from './append-log.js';
import { isChangeList, journalNumbers } from './collection-files.js';
import { durableJsonFile } from './durable-json-file.js';
import { removeFile } from './durable-write.js';
import { type FileLayer, systemFiles } from './file-layer.js';
import { damaged } from './storage-errors.js';

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
  const snapshotPath = join(folder, `${name}.json`);
  const journalPath = (number: number) => join(folder, `${name}.${number}.jsonl`);

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

  function openJournal(number: number): Promise<AppendLog> {
    const path = journalPath(number);
    let line = 0;
    const onValue = (value: unknown) => {
      line += 1;
      if (!isChangeList(value)) throw damaged(path, `line ${line}`, 'this is no list of changes');
      apply(value as unknown as JournalLine<T>); // Written by this program for this very collection.
    };
    return openAppendLog({ path, files, onValue });
  }

  const snapshot = await readSnapshot<T>(files, snapshotPath);
  for (const record of snapshot.records) set(record);
  const numbers = await journalNumbers(files, folder, name);
  for (const old of numbers.filter((number) => number < snapshot.journal)) {
    await removeFile(files, journalPath(old));
  }
  let current = snapshot.journal;
  let journal = await openJournal(current);
  let foldedBytes = await sizeOf(files, snapshotPath);
  /** Bytes of finished journals that are not folded yet. */
  let finishedBytes = 0;
  let firstUnfolded = current;
  for (const number of numbers.filter((each) => each > snapshot.journal)) {
    if (number !== current + 1) throw damaged(journalPath(current + 1), 'line 1', 'it is missing');
    finishedBytes += journal.size;
    await journal.close();
    current = number;
    journal = await openJournal(number);
  }
  for (const record of records.values()) if (isExpired(record, clock.now())) remove(keyOf(record));

  let closed = false;
  let switching: Promise<void> | undefined;
  let folding: Promise<void> | undefined;
  /** No new attempt to fold before the journals have grown to this. */
  let foldAt = 0;
  const chains = new Map<Key, Promise<unknown>>();

  async function write(changes: JournalLine<T>): Promise<void> {
    const line = JSON.stringify(changes);
    while (switching) await switching.catch(() => {});
    await journal.append(line);
    apply(changes);
    if (!closed && isFoldDue()) folding ??= fold();
  }

  function isFoldDue(): boolean {
    const bytes = finishedBytes + journal.size;
    return bytes > Math.max(smallestJournal, foldedBytes, foldAt);
  }

  /** Later changes go to a new journal: what the old ones say is then complete and in memory. */
  async function nextJournal(): Promise<void> {
    const before = journal;
    const next = await openJournal(current + 1);
    try {
      // Appends wait meanwhile, so that nothing in the new journal is older than the old one's end.
      await before.drain();
    } catch (error) {
      await next.close();
      throw error;
    }
    finishedBytes += before.size;
    current += 1;
    journal = next;
    await before.close();
  }

  async function fold(): Promise<void> {
    try {
      switching = nextJournal().finally(() => {
        switching = undefined;
      });
      await switching;
      const upTo = current;
      dropExpired();
      const low = new Low<Snapshot<T>>(snapshotFile(files, snapshotPath), {
        format: 1,
        journal: upTo,
        records: [...records.values()],
      });
      await low.write();
      finishedBytes = 0;
      foldAt = 0;
      foldedBytes = await sizeOf(files, snapshotPath);
      for (; firstUnfolded < upTo; firstUnfolded += 1) {
        await removeFile(files, journalPath(firstUnfolded));
      }
    } catch (error) {
      foldAt = (finishedBytes + journal.size) * 1.5;
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
    async update(key, change) {
      const turn = (chains.get(key) ?? Promise.resolve()).then(async () => {
        const record = get(key);
        if (record === undefined) return undefined;
        const changed = change(record);
        await write([['put', changed]]);
        return changed;
      });
      const quiet = turn.catch(() => {});
      chains.set(key, quiet);
      try {
        return await turn;
      } finally {
        if (chains.get(key) === quiet) chains.delete(key);
      }
    },
    delete: (key) => write([['delete', key]]),
    async close() {
      closed = true;
      await folding;
      await journal.close();
    },
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
