import { join } from 'node:path';
import { Low } from 'lowdb';
import { AppError } from '../../base/errors.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { type Finding, type Place, type Report, repairAdvice } from './data-checker.js';
import { lineFile } from './line-file.js';
import type { Line } from './lines.js';
import { type LogContent, readLog } from './log-reader.js';

export type Key = string | number;

/** Where a collection is kept, and what belongs in it. */
export interface CollectionFiles<T> {
  /** An existing folder. */
  readonly folder: string;
  /** Files are `<name>.snapshot.jsonl`, and `<name>.<n>.jsonl` of the log since. */
  readonly name: string;
  readonly files: FileLayer;
  /** What a record is found by. Numbers are ids, of which none is given twice. */
  keyOf(record: T): Key;
  isRecord(value: unknown): value is T;
  /** True where the collection was made before, so that a file that is missing has been lost. */
  readonly mustExist?: boolean;
}

/** What is told of a collection's content, in the order in which it came to be. */
export interface CollectionSink<T> {
  put(record: T, place: Place): void;
  delete(key: Key): void;
  report: Report;
}

/** What is known of a collection's files once they were read. */
export interface CollectionContent {
  readonly log: LogContent;
  readonly lastId: number;
  /** False where there is no snapshot yet. */
  readonly isThere: boolean;
}

/** A line of the log: changes that happen together. */
export type ChangeList<T> = readonly (readonly ['put', T] | readonly ['delete', Key])[];

export function snapshotPath({ folder, name }: { folder: string; name: string }): string {
  return join(folder, `${name}.snapshot.jsonl`);
}

/** Reads a collection without touching its files; passes over damage where `report` does not throw. */
export async function readCollection<T>(
  collection: CollectionFiles<T>,
  sink: CollectionSink<T>,
): Promise<CollectionContent> {
  const { name, keyOf, isRecord, mustExist = false } = collection;
  let lastId = 0;

  function put(value: unknown, place: Place, bytes: Buffer): void {
    if (!isRecord(value)) {
      const message = `This line holds no record of ${name}.`;
      sink.report({ severity: 'error', ...place, message, advice: repairAdvice }, bytes);
      return;
    }
    const key = keyOf(value);
    if (typeof key === 'number' && key > lastId) lastId = key;
    sink.put(value, place);
  }

  const file = snapshotPath(collection);
  const low = openSnapshot(
    collection,
    (line) => put(line.value, { file, line: line.number }, line.bytes),
    sink.report,
  );
  await low.read();
  const { log: first, lastId: known, isThere } = low.data;
  const log = await readLog(
    { ...collection, ...(first === undefined ? {} : { first }) },
    (value, place, bytes) => {
      if (!isChangeList(value)) {
        const message = 'This line is no list of changes.';
        return sink.report({ severity: 'error', ...place, message, advice: repairAdvice }, bytes);
      }
      for (const [kind, subject] of value) {
        if (kind === 'put') put(subject, place, bytes);
        else sink.delete(subject as Key);
      }
    },
    sink.report,
  );
  const isLost = isThere
    ? log.last === 0 && (mustExist || (first ?? 1) > 1)
    : mustExist || log.last > 0;
  if (isLost) {
    const missing = isThere ? join(collection.folder, `${name}.${first ?? 1}.jsonl`) : file;
    const message = 'The file is missing.';
    sink.report({ severity: 'error', file: missing, message, advice: repairAdvice });
  }
  return { log, lastId: Math.max(lastId, known(), log.lastId), isThere };
}

/** A collection's records by key, each with where it was found last. */
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

/**
 * A snapshot's first line tells which segment of the log is the first that it does not hold; then come
 * the records, one a line; the last line counts them and keeps the highest id.
 */
interface Snapshot<T> {
  readonly isThere: boolean;
  /** Undefined where the first line is damaged. */
  readonly log: number | undefined;
  /** Asked for behind the records. */
  lastId(): number;
  readonly records: Iterable<T> | AsyncIterable<T>;
}

/** What the first line holds, and the last one. */
interface SnapshotFrame {
  readonly collection?: string;
  readonly log?: number;
  readonly end?: string;
  readonly records?: number;
  readonly lastId?: number;
}

interface SnapshotLine {
  readonly value: unknown;
  readonly number: number;
  readonly bytes: Buffer;
}

/** A collection's snapshot; reading tells of its records one by one, so that they need no second list. */
export function openSnapshot<T extends object>(
  { folder, name, files }: Pick<CollectionFiles<T>, 'folder' | 'name' | 'files'>,
  onRecord: (line: SnapshotLine) => void = () => {},
  report: Report = throwDamage,
): Low<Snapshot<T>> {
  const path = snapshotPath({ folder, name });

  async function parse(lines: AsyncIterable<readonly Line[]>): Promise<Snapshot<T> | null> {
    let isThere = false;
    let log: number | undefined;
    let end: SnapshotFrame | undefined;
    let records = 0;
    const damage = (message: string, number?: number, bytes?: Buffer) => {
      const line = number === undefined ? {} : { line: number };
      report({ severity: 'error', file: path, ...line, message, advice: repairAdvice }, bytes);
    };
    for await (const some of lines) {
      isThere = true;
      for (const { number, start, text, bytes } of some) {
        const value = text === undefined ? undefined : (JSON.parse(text) as SnapshotFrame);
        if (!value) damage('This line is damaged: its checksum does not fit.', number, bytes);
        else if (start === 0) log = value.collection === name ? value.log : undefined;
        else if (value.end === name) end = value;
        else {
          records += 1;
          onRecord({ value, number, bytes });
        }
      }
    }
    if (!isThere) return null;
    if (!end) damage('The end of the file is missing.');
    else if (records < (end.records ?? 0)) {
      damage(`Only ${records} of its ${end.records} records are there.`);
    }
    return { isThere: true, log, lastId: () => end?.lastId ?? 0, records: [] };
  }

  async function* format({ log, records: all, lastId }: Snapshot<T>): AsyncGenerator<string> {
    yield JSON.stringify({ collection: name, format: 2, log });
    let records = 0;
    for await (const record of all) {
      records += 1;
      yield JSON.stringify(record);
    }
    yield JSON.stringify({ end: name, records, lastId: lastId() });
  }

  const nothing: Snapshot<T> = { isThere: false, log: undefined, lastId: () => 0, records: [] };
  return new Low(lineFile<Snapshot<T>>({ path, files, parse, format }), nothing);
}

/** Throws `data_damaged` for what is wrong; a line that a crash cut short is nothing wrong. */
export function throwDamage({ severity, file, line, message }: Finding): void {
  if (severity === 'note') return;
  const place = line === undefined ? file : `${file}, line ${line}`;
  throw new AppError('data_damaged', `${place}: ${message}`, {
    hint: 'Run msgsite data check to see every fault, and msgsite data check --repair to put it right.',
  });
}

/** Whether a value is a line of a collection's log. */
function isChangeList(value: unknown): value is readonly (readonly [string, unknown])[] {
  const isChange = (change: unknown) =>
    Array.isArray(change) && change.length === 2 && (change[0] === 'put' || change[0] === 'delete');
  return Array.isArray(value) && value.every(isChange);
}

/** Names in a folder; none where it does not exist. */
export async function listFolder(files: FileLayer, folder: string): Promise<string[]> {
  try {
    return (await files.readdir(folder)).sort();
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw storageError(cause, folder);
  }
}
