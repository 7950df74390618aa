/**
 * The file of one record. Its first line is the new record, and each change appends a line:
 *
 *     {"id":"qr-7","record":{…},"crc":"…"}
 *     {"record":{…},"crc":"…"}    or {"change":{…},"crc":"…"} if the kind has a shorter form
 *
 * Appending is much faster than creating a file, and the file keeps its names. Bytes that a crash left after the last
 * complete line were never acknowledged and are ignored. Any other line with a wrong checksum is damage.
 */

import { createHash } from 'node:crypto';
import { damaged } from '../../../base/files/storage-errors.js';
import { parseExact, stringifyExact } from '../../../json/exact-json.js';
import { decodeLine, encodeLine } from '../lines/lines.js';

/**
 * How the records of a state are stored. `flat`: in one folder. `by-day`: in one folder per day, which is soon removed
 * as a whole. `by-day-and-id`: in one folder per day, with a second name for each record, so that finding a record is
 * fast for any number of days.
 */
export type StateKind = 'flat' | 'by-day' | 'by-day-and-id';

/** Describes a kind of record to its readers and writers. */
export interface RecordPlan<T extends object, State extends string = string> {
  /** All states and how they are stored. New records have the first state, which must be flat or the only one. */
  readonly states: Readonly<Record<State, StateKind>>;
  /** Returns a record's fault, as a text that follows its location in a message; undefined if the record is valid. */
  faultOf(record: object, id: string): string | undefined;
  /** Returns the state of a record and, if the state is stored by day, its UTC day (`2026-07-28`). */
  placeOf(record: T): { readonly state: State; readonly day?: string };
  /** Returns whether a power cut may undo a change to this record. Such a change does not wait for the disk. */
  mayBeLost?(record: T): boolean;
  /** Returns whether a change erases data, so that earlier versions of the record must not stay in its file. */
  erases?(before: T, after: T): boolean;
  /** A shorter form of changes. Without it, each change contains the whole record. */
  readonly changes?: RecordChanges<T>;
  /**
   * Returns the record to use if a file is in the folder of a state that contradicts its content; undefined if that is
   * damage. Not called for the first state, for which the content is authoritative.
   */
  believed?(record: T, state: State): T | undefined;
}

export interface RecordChanges<T> {
  /** Returns the change from one record to the next; undefined if the whole record is needed. */
  between(before: T, next: T): object | undefined;
  /** Returns the changed record; undefined if the change is invalid. */
  apply(before: T, change: unknown): T | undefined;
}

/** The content of a file. */
export interface RecordFile<T> {
  readonly id: string;
  readonly record: T;
  /** Number of complete lines. */
  readonly lines: number;
  /** Offset of the next line in bytes; null if the file must be rewritten instead. */
  readonly end: number | null;
  /** True if the file ends with a change that was never acknowledged. */
  readonly isTorn: boolean;
}

/** Maximum number of lines in a record file. The next change rewrites the file. @internal */
export const maxLines = 20;
const lineBreak = 10;

/** Returns the text of a new file. */
export function wholeText(id: string, record: object): string {
  return encodeLine(stringifyExact({ id, record }));
}

/** Returns the line for a change to a record. */
export function changeLine<T>(before: T, next: T, changes: RecordChanges<T> | undefined): string {
  const change = changes?.between(before, next);
  return encodeLine(stringifyExact(change ? { change } : { record: next }));
}

/** Parses the bytes of a file. Throws `data_damaged` with the line number. */
export function parseRecordFile<T extends object>(
  bytes: Buffer,
  path: string,
  plan: Pick<RecordPlan<T>, 'faultOf' | 'changes'>,
): RecordFile<T> {
  let file: Begun<T> | undefined;
  let lines = 0;
  let start = 0;
  while (start < bytes.length) {
    const stop = bytes.indexOf(lineBreak, start);
    const json = stop < 0 ? undefined : decodeLine(bytes.subarray(start, stop));
    if (file && json === undefined && isTorn(bytes, start, stop)) {
      return { ...file, lines, end: null, isTorn: true };
    }
    lines += 1;
    try {
      if (json === undefined) throw new Error('its checksum does not match');
      file = withLine(file, parseExact(json) as RecordLine, plan);
    } catch (error) {
      throw damaged(path, `line ${lines}`, error instanceof Error ? error.message : String(error));
    }
    start = stop + 1;
  }
  if (!file) throw damaged(path, 'line 1', 'the file is empty');
  return { ...file, lines, end: lines < maxLines ? bytes.length : null, isTorn: false };
}

/** The possible members of a line, not yet validated. */
type RecordLine = {
  readonly id?: unknown;
  readonly record?: unknown;
  readonly change?: unknown;
} | null;

type Begun<T> = Pick<RecordFile<T>, 'id' | 'record'>;

/** Returns the file with one more line; throws if the line is invalid. */
function withLine<T extends object>(
  before: Begun<T> | undefined,
  line: RecordLine,
  { faultOf, changes }: Pick<RecordPlan<T>, 'faultOf' | 'changes'>,
): Begun<T> {
  const { id = before?.id, record, change } = line ?? {};
  if (before && change !== undefined) {
    const changed = changes?.apply(before.record, change);
    if (!changed) throw new Error('this is not a valid change to the record');
    return { ...before, record: changed };
  }
  if (typeof id !== 'string' || typeof record !== 'object' || record === null) {
    throw new Error('id or record is missing');
  }
  const fault = faultOf(record, id);
  if (fault !== undefined) throw new Error(fault);
  return { id, record: record as T }; // `faultOf` has validated it.
}

/** Size of the smallest disk sectors, in bytes. Power cuts lose whole sectors. */
const sector = 512;

/**
 * Returns whether a line with a wrong checksum is the remainder of an unfinished write. Such a line is the last one,
 * and it has no line break or contains unwritten sectors. A line that lacks only its line break was damaged later.
 */
function isTorn(bytes: Buffer, start: number, stop: number): boolean {
  if (stop >= 0 && stop + 1 < bytes.length) return false;
  if (stop < 0 && decodeLine(bytes.subarray(start, -1)) === undefined) return true;
  const hole = bytes.indexOf(0, start);
  if (hole < 0) return false;
  let end = hole;
  while (end < bytes.length && bytes[end] === 0) end += 1;
  return (hole === start || hole % sector === 0) && (end % sector === 0 || end === bytes.length);
}

/** Maximum length of a record's file name, in bytes. File systems allow 255, and suffixes take up to 60. @internal */
const maxNameLength = 180;

const suffix = '.jsonl';

/**
 * Returns the file name of an ID. Bytes other than letters, digits, `-` and `_` become %XX. Names that are too long are
 * truncated and end with a hash. Different IDs never have the same name.
 */
export function fileNameOf(id: string): string {
  const safe = /^[\w-]*$/.test(id) ? id : [...Buffer.from(id)].map(safeByte).join('');
  if (safe.length > 0 && safe.length <= maxNameLength) return `${safe}${suffix}`;
  const hash = createHash('sha256').update(id).digest('hex');
  return `${safe.slice(0, 60)}%h${hash}${suffix}`;
}

function safeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[\w-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0')}`;
}

/** Returns the ID in a file name; undefined if the name was truncated, so that only the content has the ID. */
export function idOfName(name: string): string | undefined {
  return name.includes('%h') ? undefined : decodeURIComponent(idPart(name));
}

/** Returns the part of a file name that represents the ID. */
export function idPart(name: string): string {
  return name.slice(0, -suffix.length);
}

export function isRecordName(name: string): boolean {
  return name.endsWith(suffix);
}

/** Returns the UTC day of a time in milliseconds, such as `2026-07-28`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function isDay(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}
