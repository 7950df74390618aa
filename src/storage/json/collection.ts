import type { Clock } from '../../base/clock.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import {
  type ChangeList,
  type CollectionFiles,
  type Key,
  openSnapshot,
  readCollection,
  snapshotPath,
  throwDamage,
} from './collection-files.js';
import type { Report } from './data-checker.js';
import { noLog } from './log-reader.js';
import { openSegmentedLog } from './segmented-log.js';

export interface CollectionOptions<T> extends Omit<CollectionFiles<T>, 'files'> {
  readonly clock: Clock;
  /** Whether a record has ended by itself at a time (ms); it is then not found, and dropped in time. */
  isExpired?(record: T, now: number): boolean;
  /** Called for every record that enters memory (at opening too), and before one leaves it. */
  onPut?(record: T, previous: T | undefined): void;
  onDelete?(record: T): void;
  /** Told when a fold into the snapshot failed; nothing is lost, it is tried again later. */
  onFoldFailed?(error: unknown): void;
  /**
   * Told of damage that is found at opening, which stops it unless this is given: then what is damaged is
   * left out, and gone from the files once the promises that it gives are kept.
   */
  onDamage?(...damage: Parameters<Report>): Promise<void>;
  readonly files?: FileLayer;
  /** Bytes of log that are never worth folding; 1 MiB unless told. */
  readonly smallestLog?: number;
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
  /** An id higher than any before, also than those of records that are gone. */
  nextId(): number;
  close(): Promise<void>;
}

const defaultSmallestLog = 1024 * 1024;

/**
 * Opens a collection: the snapshot, then the log since. Once the log outgrows the snapshot it is folded
 * into a new one beside the running work; each step leaves files that open again.
 */
export async function openCollection<T extends object>(
  options: CollectionOptions<T>,
): Promise<Collection<T>> {
  const { clock, files = systemFiles, keyOf } = options;
  const { smallestLog = defaultSmallestLog, isExpired = () => false } = options;
  const place = { ...options, files };
  const records = new Map<Key, T>();
  let lastId = 0;
  const inTurn = createTurns();
  const low = openSnapshot<T>(place);

  function apply(changes: ChangeList<T>): void {
    for (const change of changes) {
      if (change[0] === 'put') set(change[1]);
      else remove(change[1]);
    }
  }

  function set(record: T): void {
    const key = keyOf(record);
    if (typeof key === 'number' && key > lastId) lastId = key;
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

  const setAside: Promise<void>[] = [];
  const content = await readCollection<T>(place, {
    put: set,
    delete: remove,
    report(finding, bytes) {
      if (finding.severity === 'note') return;
      if (!options.onDamage) throwDamage(finding);
      else setAside.push(options.onDamage(finding, bytes));
    },
  });
  await Promise.all(setAside);
  lastId = content.lastId;
  if (!content.isThere) await writeSnapshot(1);
  const log = await openSegmentedLog({ ...place, lastId: () => lastId }, content.log);
  let foldedBytes = await sizeOf(files, snapshotPath(place));
  dropExpired();

  let closed = false;
  let folding: Promise<void> | undefined;
  /** After a fold that failed, no new attempt before the log has grown to this. */
  let foldAt = 0;
  // What is damaged leaves the files.
  if (setAside.length > 0) await fold();

  async function write(changes: ChangeList<T>): Promise<void> {
    await log.append(JSON.stringify(changes));
    apply(changes);
    if (!closed && isFoldDue()) folding ??= fold();
  }

  function isFoldDue(): boolean {
    return log.size > Math.max(smallestLog, foldedBytes, foldAt);
  }

  /** `first`: the first segment of the log that the snapshot does not hold. */
  async function writeSnapshot(first: number): Promise<void> {
    const all = [...records.values()];
    low.data = { isThere: true, log: first, lastId: () => lastId, records: all };
    await low.write();
    low.data = { ...low.data, records: [] };
  }

  async function fold(): Promise<void> {
    try {
      const next = await log.rotate();
      dropExpired();
      await writeSnapshot(next);
      foldAt = 0;
      foldedBytes = await sizeOf(files, snapshotPath(place));
      await log.drop(next);
    } catch (error) {
      foldAt = log.size * 1.5;
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
    nextId() {
      lastId += 1;
      return lastId;
    },
    async close() {
      closed = true;
      await folding;
      await log.close();
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
  const low = openSnapshot<T>(place);
  low.data = { ...low.data, log: 1, lastId: () => lastId, records: counted() };
  await low.write();
  const log = await openSegmentedLog({ ...place, lastId: () => lastId }, noLog);
  await log.close();
}

async function sizeOf(files: FileLayer, path: string): Promise<number> {
  const stats = await files.stat(path).catch(() => undefined);
  return stats?.size ?? 0;
}
