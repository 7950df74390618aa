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
  /** Whether a record has ended by itself at a time (ms); it is then not found, and dropped in time. */
  isExpired?(record: T, now: number): boolean;
  /** Called for every record that enters memory, at opening too. */
  onPut?(record: T, previous: T | undefined): void;
  /** Whether a record erases what the one before it said: then it is gone from the files once they are closed. */
  erases?(record: T, previous: T): boolean;
  /** Told when a fold into the snapshot failed; nothing is lost, it is tried again later. */
  onFoldFailed?(error: unknown): void;
  /**
   * Told of damage that is found at opening, which stops it unless this is given: then what is damaged is
   * left out, and gone from the files once the promises that it gives are kept.
   */
  onDamage?(...damage: Parameters<Report>): Promise<void>;
  /** Bytes of log that are never worth folding; 1 MiB unless told. */
  readonly smallestLog?: number;
}

export type Collection<T extends object> = Awaited<ReturnType<typeof openCollection<T>>>;

const defaultSmallestLog = 1024 * 1024;

/**
 * Opens a collection: records in memory, each change in a journal before it counts. Records are immutable:
 * change one by putting another in its place. Every promise resolves when the change is on disk, and only
 * then is it visible; when the disk fails it rejects with `storage_unavailable` and nothing has changed.
 *
 * First the snapshot is read, then the log since. Once the log outgrows the snapshot it is folded into a new
 * one beside the running work; each step leaves files that open again.
 */
export async function openCollection<T extends object>(options: CollectionOptions<T>) {
  const { clock, files, keyOf } = options;
  const { smallestLog = defaultSmallestLog, isExpired } = options;
  const records = new Map<Key, T>();
  let lastId = 0;
  /** Whether the files hold what was to be erased; also what a killed process left of it. */
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
    // An id above all others is a new one.
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
  /** After a fold that failed, no new attempt before the log has grown to this. */
  let foldAt = 0;
  // What is damaged leaves the files.
  if (setAside.length > 0 || isBroken) await fold();

  async function write(changes: readonly CollectionChange<T>[]): Promise<void> {
    await log.append(JSON.stringify({ changes } satisfies ChangeLine<T>));
    apply(changes);
    if (!closed && isFoldDue()) folding ??= fold();
  }

  function isFoldDue(): boolean {
    return log.size > Math.max(smallestLog, foldedBytes, foldAt);
  }

  /** `first`: the first segment of the log that the snapshot does not hold. */
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
      // What is erased from now on is in this snapshot still.
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
    /** Several records at once: all of them or none. */
    async putAll(all: readonly T[]): Promise<void> {
      if (all.length > 0) await write(all.map((record) => ({ put: record })));
    },
    /**
     * Replaces a record by what `change` makes of it, unless that is the same one, or none; changes of one
     * record never overtake each other.
     */
    update: (key: Key, change: (record: T) => T | undefined): Promise<T | undefined> =>
      inTurn(key, async () => {
        const record = get(key);
        const changed = record && change(record);
        if (changed !== undefined && changed !== record) await write([{ put: changed }]);
        return changed;
      }),
    delete: (key: Key): Promise<void> => write([{ delete: key }]),
    /** Several at once: all of them or none. */
    async deleteAll(keys: readonly Key[]): Promise<void> {
      if (keys.length > 0) await write(keys.map((key) => ({ delete: key })));
    },
    /** An id higher than any before, also than those of records that are gone. */
    nextId(): number {
      lastId += 1;
      return lastId;
    },
    /** What was erased is gone from the files then. */
    async close(): Promise<void> {
      closed = true;
      await folding;
      if (holdsErased) await fold();
      await log.close();
    },
  };
}

/**
 * Writes a new collection, record by record, in the form in which it is folded; what is read back from
 * it is the same collection. Nobody may have it open.
 */
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

/** Removes snapshots that a killed process did not finish: they hold what may be erased since. */
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
