import { join } from 'node:path';
import { Low } from 'lowdb';
import type { FileLayer } from '../../../base/files/file-layer.js';
import {
  damagedLine,
  faultAt,
  noteBreak,
  type Place,
  type Report,
  throwDamage,
} from '../check/data-checker.js';
import { lineFile } from '../lines/line-file.js';
import { bytesOf, type Line } from '../lines/lines.js';
import { type OnLine, readLog, segmentPath } from '../log/log-reader.js';

export type Key = string | number;

/** Location and record type of a collection. */
export interface CollectionFiles<T> {
  /** An existing folder. */
  readonly folder: string;
  /** The files are `<name>.snapshot.jsonl`, and `<name>.<n>.jsonl` for the log of later changes. */
  readonly name: string;
  readonly files: FileLayer;
  /** Returns the key of a record. Numbers are IDs, which are never reused. */
  keyOf(record: T): Key;
  isRecord(value: unknown): value is T;
  /** True if the collection was created earlier, so that a missing file is damage. */
  readonly mustExist?: boolean;
}

/** Receives a collection's content in the order in which it was written. */
export interface CollectionSink<T> {
  put(record: T, place: Place): void;
  delete(key: Key): void;
  report: Report;
}

/** One change to a collection. */
export type CollectionChange<T> = { readonly put: T } | { readonly delete: Key };

/** A line of the log: changes that take effect together. */
export interface ChangeLine<T> {
  readonly changes: readonly CollectionChange<T>[];
}

export function snapshotPath({ folder, name }: { folder: string; name: string }): string {
  return join(folder, `${name}.snapshot.jsonl`);
}

/**
 * Reads a collection without changing its files. Skips damaged lines if `report` does not throw. Returns the state of
 * the log, the highest ID, and whether a snapshot exists.
 */
export async function readCollection<T>(collection: CollectionFiles<T>, sink: CollectionSink<T>) {
  const { name, keyOf, isRecord, mustExist = false } = collection;
  let lastId = 0;

  function put(value: unknown, place: Place, line: Line): void {
    if (!isRecord(value)) {
      sink.report(faultAt(place, `This line is not a record of ${name}.`), bytesOf(line));
      return;
    }
    const key = keyOf(value);
    if (typeof key === 'number' && key > lastId) lastId = key;
    sink.put(value, place);
  }

  const low = openSnapshot(collection, put, sink.report);
  await low.read();
  const isThere = low.data !== null;
  const first = low.data?.log;
  const log = await readLog(
    { ...collection, ...(first === undefined ? {} : { first }) },
    (value, place, line) => {
      if (!isChangeLine(value)) {
        return sink.report(faultAt(place, 'This line is not a list of changes.'), bytesOf(line));
      }
      for (const change of value.changes) {
        if ('put' in change) put(change.put, place, line);
        else sink.delete(change.delete);
      }
    },
    sink.report,
  );
  const isLost = isThere
    ? log.last === 0 && (mustExist || (first ?? 1) > 1)
    : mustExist || log.last > 0;
  if (isLost) {
    const file = isThere ? segmentPath(collection, first ?? 1) : snapshotPath(collection);
    sink.report(faultAt({ file }, 'The file is missing.'));
  }
  return { log, lastId: Math.max(lastId, low.data?.lastId() ?? 0, log.lastId), isThere };
}

/** Returns a collection's records by key, each with the location of its last line. */
export async function findRecords<T>(
  collection: CollectionFiles<T>,
  report: Report,
): Promise<Map<Key, { record: T; place: Place }>> {
  const records = new Map<Key, { record: T; place: Place }>();
  await readCollection(collection, {
    put: (record, place) => records.set(collection.keyOf(record), { record, place }),
    delete: (key) => records.delete(key),
    report,
  });
  return records;
}

/** Returns the highest ID ever assigned in a collection. Ignores damage, which readers of the records report. */
export async function readLastId(collection: CollectionFiles<object>): Promise<number> {
  const nothing = () => {};
  const { lastId } = await readCollection(collection, {
    put: nothing,
    delete: nothing,
    report: nothing,
  });
  return lastId;
}

/**
 * The first line of a snapshot names the first segment of the log that the snapshot does not contain. The records
 * follow, one per line. The last line contains the number of records and the highest ID.
 */
interface Snapshot<T> {
  /** Undefined if the first line is damaged. */
  readonly log: number | undefined;
  /** Called after the records have been written. */
  lastId(): number;
  readonly records: Iterable<T> | AsyncIterable<T>;
}

/** The members of the first and the last line. */
interface SnapshotFrame {
  readonly collection?: string;
  readonly log?: number;
  readonly end?: string;
  readonly records?: number;
  readonly lastId?: number;
}

/** Location of a snapshot. */
type SnapshotPlace = Pick<CollectionFiles<never>, 'folder' | 'name' | 'files'>;

/** Opens a collection's snapshot. Reading calls `onRecord` for each record instead of returning a list. */
function openSnapshot<T>(
  place: SnapshotPlace,
  onRecord: OnLine,
  report: Report,
): Low<Snapshot<T> | null> {
  const { name, files } = place;
  const path = snapshotPath(place);

  async function parse(lines: AsyncIterable<readonly Line[]>): Promise<Snapshot<T> | null> {
    let isThere = false;
    let log: number | undefined;
    let end: SnapshotFrame | undefined;
    let records = 0;
    for await (const some of lines) {
      isThere = true;
      for (const line of some) {
        const at = { file: path, line: line.number };
        const { text } = line;
        const value = text === undefined ? undefined : (JSON.parse(text) as SnapshotFrame);
        noteBreak(line, path, report);
        if (!value) report(faultAt(at, damagedLine), bytesOf(line));
        else if (line.start === 0) log = value.collection === name ? value.log : undefined;
        else if (value.end === name) end = value;
        else {
          records += 1;
          onRecord(value, at, line);
        }
      }
    }
    if (!isThere) return null;
    if (!end) report(faultAt({ file: path }, 'The end of the file is missing.'));
    else if (records < (end.records ?? 0)) {
      const message = `The file contains only ${records} of its ${end.records} records.`;
      report(faultAt({ file: path }, message));
    }
    return { log, lastId: () => end?.lastId ?? 0, records: [] };
  }

  async function* format(snapshot: Snapshot<T> | null): AsyncGenerator<string> {
    if (!snapshot) return;
    yield JSON.stringify({ collection: name, log: snapshot.log });
    let records = 0;
    for await (const record of snapshot.records) {
      records += 1;
      yield JSON.stringify(record);
    }
    yield JSON.stringify({ end: name, records, lastId: snapshot.lastId() });
  }

  return new Low(lineFile<Snapshot<T> | null>({ path, files, parse, format }), null);
}

/** Replaces a snapshot atomically. The new one is on disk when the promise resolves. */
export async function writeSnapshot<T>(place: SnapshotPlace, snapshot: Snapshot<T>): Promise<void> {
  const low = openSnapshot<T>(place, () => {}, throwDamage);
  low.data = snapshot;
  await low.write();
}

/** Returns whether a value is a line of a collection's log. */
function isChangeLine(value: unknown): value is ChangeLine<unknown> {
  const isChange = (change: unknown) =>
    typeof change === 'object' && change !== null && ('put' in change || 'delete' in change);
  const { changes } = value as Partial<ChangeLine<unknown>>;
  return Array.isArray(changes) && changes.every(isChange);
}
