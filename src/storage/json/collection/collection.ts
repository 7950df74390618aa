import { join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { listFolder, removeFile } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { createTurns } from '../../../base/turns.js';
import { type Report, throwDamage } from '../check/data-checker.js';
import { noLog } from '../log/log-reader.js';
import { openSegmentedLog } from '../log/segmented-log.js';
import {
  type ChangeLine,
  type CollectionChange,
  type CollectionFiles,
  type Key,
  readCollection,
  snapshotPath,
  writeSnapshot,
} from './collection-files.js';

export interface CollectionOptions<T> extends CollectionFiles<T> {
  readonly clock: Clock;
  /**
   * Returns whether a record has expired at `now` (ms). Expired records are not found, and the next fold drops them.
   */
  isExpired?(record: T, now: number): boolean;
  /** Called for each record that is read or stored. */
  onPut?(record: T, previous: T | undefined): void;
  /** Returns whether a record erases content of the previous one. Closing the files removes that content from them. */
  erases?(record: T, previous: T): boolean;
  /** Called if folding the log into the snapshot failed. No data is lost, and the fold is retried later. */
  onFoldFailed?(error: unknown): void;
  /**
   * Called for damage found on opening. Without this function, damage makes opening fail. With it, damaged lines are
   * skipped, and they are removed from the files when the returned promises have resolved.
   */
  onDamage?(...damage: Parameters<Report>): Promise<void>;
  /** Size up to which a log is not folded, in bytes; 1 MiB by default. */
  readonly minLogSize?: number;
}

export type Collection<T extends object> = Awaited<ReturnType<typeof openCollection<T>>>;

const defaultMinLogSize = 1024 * 1024;

/**
 * Opens a collection, which stores its records in memory and writes each change to a log first. Records are immutable.
 * To change one, put a new record with the same key. A change becomes visible when it is on disk, and then its promise
 * resolves. If the disk fails, the promise rejects with `storage_unavailable` and nothing has changed.
 *
 * Opening reads the snapshot and then the log. When the log outgrows the snapshot, it is folded into a new snapshot in
 * the background. The files can be opened even if a crash interrupts a fold.
 */
export async function openCollection<T extends object>(options: CollectionOptions<T>) {
  const { clock, files, keyOf } = options;
  const { minLogSize = defaultMinLogSize, isExpired } = options;
  const records = new Map<Key, T>();
  let lastId = 0;
  /** True while the files contain erased content, even content that a killed process erased. */
  let holdsErased = false;
  const inTurn = createTurns<Key>();

  function apply(changes: readonly CollectionChange<T>[]): void {
    for (const change of changes) {
      if ('put' in change) set(change.put);
      else records.delete(change.delete);
    }
  }

  function set(record: T): void {
    const key = keyOf(record);
    // An ID above all others is new.
    const isHighest = typeof key === 'number' && key > lastId;
    if (isHighest) lastId = key;
    const previous = isHighest ? undefined : records.get(key);
    records.set(key, record);
    if (previous && options.erases?.(record, previous)) holdsErased = true;
    options.onPut?.(record, previous);
  }

  const setAside: Promise<void>[] = [];
  let isBroken = false;
  const content = await readCollection<T>(options, {
    put: set,
    delete: (key) => records.delete(key),
    report(finding, bytes) {
      // A note with bytes is a damaged line break, which the next snapshot repairs.
      if (finding.severity === 'note') {
        isBroken ||= bytes !== undefined;
        return;
      }
      if (!options.onDamage) throwDamage(finding);
      else setAside.push(options.onDamage(finding, bytes));
    },
  });
  await Promise.all(setAside);
  lastId = content.lastId;
  await removeUnfinished(options);
  if (!content.isThere) await writeAll(1);
  const log = await openSegmentedLog({ ...options, lastId: () => lastId }, content.log);
  let foldedBytes = await sizeOf(files, snapshotPath(options));
  dropExpired();

  let closed = false;
  let folding: Promise<void> | undefined;
  /** After a failed fold, the size of the log in bytes at which the next attempt starts. */
  let foldAt = 0;
  // Removes the damaged lines from the files.
  if (setAside.length > 0 || isBroken) await fold();

  async function write(changes: readonly CollectionChange<T>[]): Promise<void> {
    await log.append(JSON.stringify({ changes } satisfies ChangeLine<T>));
    apply(changes);
    if (!closed && isFoldDue()) folding ??= fold();
  }

  function isFoldDue(): boolean {
    return log.size > Math.max(minLogSize, foldedBytes, foldAt);
  }

  /** Writes a snapshot of all records. `first` is the first segment of the log that it does not contain. */
  function writeAll(first: number): Promise<void> {
    const all = [...records.values()];
    return writeSnapshot<T>(options, { log: first, lastId: () => lastId, records: all });
  }

  async function fold(): Promise<void> {
    let heldErased = false;
    try {
      const next = await log.rotate();
      dropExpired();
      heldErased = holdsErased;
      // Content that is erased from now on is still in this snapshot.
      holdsErased = false;
      await writeAll(next);
      foldAt = 0;
      foldedBytes = await sizeOf(files, snapshotPath(options));
      await log.drop(next);
    } catch (error) {
      holdsErased ||= heldErased;
      foldAt = log.size * 1.5;
      options.onFoldFailed?.(error);
    } finally {
      folding = undefined;
    }
  }

  function dropExpired(): void {
    if (!isExpired) return;
    const now = clock.now();
    for (const [key, record] of records) if (isExpired(record, now)) records.delete(key);
  }

  function get(key: Key): T | undefined {
    const record = records.get(key);
    return record === undefined || isExpired?.(record, clock.now()) ? undefined : record;
  }

  return {
    get,
    values: () => records.values(),
    put: (record: T): Promise<void> => write([{ put: record }]),
    /** Stores all of the records or none. */
    async putAll(all: readonly T[]): Promise<void> {
      if (all.length > 0) await write(all.map((record) => ({ put: record })));
    },
    /**
     * Replaces a record with the result of `change`, unless that is undefined or the same record. Changes to one record
     * run in the order of the calls.
     */
    update: (key: Key, change: (record: T) => T | undefined): Promise<T | undefined> =>
      inTurn(key, async () => {
        const record = get(key);
        const changed = record && change(record);
        if (changed !== undefined && changed !== record) await write([{ put: changed }]);
        return changed;
      }),
    delete: (key: Key): Promise<void> => write([{ delete: key }]),
    /** Deletes all of the records or none. */
    async deleteAll(keys: readonly Key[]): Promise<void> {
      if (keys.length > 0) await write(keys.map((key) => ({ delete: key })));
    },
    /** Returns an ID higher than all earlier ones, including those of deleted records. */
    nextId(): number {
      lastId += 1;
      return lastId;
    },
    /** Closes the files, which then no longer contain erased content. */
    async close(): Promise<void> {
      closed = true;
      await folding;
      if (holdsErased) await fold();
      await log.close();
    },
  };
}

/** Writes a new collection, record by record, as a snapshot and an empty log. No process may have it open. */
export async function writeCollection<T extends object>(
  place: Pick<CollectionFiles<T>, 'folder' | 'name' | 'files' | 'keyOf'>,
  records: Iterable<T> | AsyncIterable<T>,
  knownLastId = 0,
): Promise<void> {
  let lastId = knownLastId;
  async function* counted() {
    for await (const record of records) {
      const key = place.keyOf(record);
      if (typeof key === 'number') lastId = Math.max(lastId, key);
      yield record;
    }
  }
  await writeSnapshot(place, { log: 1, lastId: () => lastId, records: counted() });
  const log = await openSegmentedLog({ ...place, lastId: () => lastId }, noLog);
  await log.close();
}

/** Removes unfinished snapshots of a killed process, because they may contain content that has been erased since. */
async function removeUnfinished(place: Pick<CollectionFiles<never>, 'folder' | 'name' | 'files'>) {
  const beginning = `${place.name}.snapshot.jsonl.`;
  for (const name of await listFolder(place.files, place.folder)) {
    const isUnfinished = name.startsWith(beginning) && name.endsWith('.tmp');
    if (isUnfinished) await removeFile(place.files, join(place.folder, name));
  }
}

async function sizeOf(files: FileLayer, path: string): Promise<number> {
  const stats = await files.stat(path).catch(() => undefined);
  return stats?.size ?? 0;
}
