/**
 * The file of one record: what it was made as, and a line for every change since:
 *
 *     {"id":"qr-7","record":{…},"crc":"…"}
 *     {"record":{…},"crc":"…"}    or {"change":{…},"crc":"…"} where a kind has shorter words for it
 *
 * A change is appended and synced in place: that makes no new file and frees none, which file systems do
 * much faster, and the file's names stay as they are. What a crash left behind the last whole line was
 * never acknowledged and does not count; any other line that does not fit its checksum is damage.
 */

import { createHash } from 'node:crypto';
import { damaged } from '../../../base/files/storage-errors.js';
import { parseExact, stringifyExact } from '../../../json/exact-json.js';
import { decodeLine, encodeLine } from '../lines/lines.js';

/**
 * How a state is kept: flat; in one folder a day, whole days of which are removed soon; or in one folder
 * a day for long, with second names, so that finding a record costs the same however many days there are.
 */
export type StateKind = 'flat' | 'by-day' | 'by-day-and-id';

/** Everything that is known of a kind of record, for whoever reads or writes one. */
export interface RecordPlan<T extends object, State extends string = string> {
  /** Every state and how it is kept. Records begin in the first one, which is flat or the only one. */
  readonly states: Readonly<Record<State, StateKind>>;
  /** What is wrong with a record, in words that follow where it is; undefined = nothing. */
  faultOf(record: object, id: string): string | undefined;
  /** How a record stands, and the UTC day (`2026-07-28`) it is kept under where its state is by day. */
  placeOf(record: T): { readonly state: State; readonly day?: string };
  /** Whether a power cut may take back the change to this; nothing then waits for the disk. */
  mayBeLost?(record: T): boolean;
  /** Shorter words for changes; without them a change is the whole record. */
  readonly changes?: RecordChanges<T>;
  /**
   * The record to believe in where one lies in the folder of another state than its content says (never
   * asked of the first state, where its content counts); undefined = damage.
   */
  believed?(record: T, state: State): T | undefined;
}

export interface RecordChanges<T> {
  /** What turns one into the other; undefined where nothing shorter than the record does. */
  between(before: T, next: T): object | undefined;
  /** The changed record; undefined where the change is none. */
  apply(before: T, change: unknown): T | undefined;
}

/** What a file holds. */
export interface RecordFile<T> {
  readonly id: string;
  readonly record: T;
  /** Lines that count. */
  readonly lines: number;
  /** Where the next line goes, in bytes; null where the file has to be written anew instead. */
  readonly end: number | null;
  /** Whether a change that was never acknowledged follows. */
  readonly isTorn: boolean;
}

/** The most lines of a record file before it is written again, so that it does not grow with changes. @internal */
export const mostLines = 20;
const lineBreak = 10;

/** The text of a new file. */
export function wholeText(id: string, record: object): string {
  return encodeLine(stringifyExact({ id, record }));
}

/** The line that turns a record into another. */
export function changeLine<T>(before: T, next: T, changes: RecordChanges<T> | undefined): string {
  const change = changes?.between(before, next);
  return encodeLine(stringifyExact(change ? { change } : { record: next }));
}

/** Reads a file's bytes; `data_damaged`, naming the line, where they are not what was written. */
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
      if (json === undefined) throw new Error('its checksum does not fit');
      file = withLine(file, parseExact(json) as RecordLine, plan);
    } catch (error) {
      throw damaged(path, `line ${lines}`, error instanceof Error ? error.message : String(error));
    }
    start = stop + 1;
  }
  if (!file) throw damaged(path, 'line 1', 'the file is empty');
  return { ...file, lines, end: lines < mostLines ? bytes.length : null, isTorn: false };
}

/** What a line may hold; nothing of it is known yet. */
type RecordLine = {
  readonly id?: unknown;
  readonly record?: unknown;
  readonly change?: unknown;
} | null;

type Begun<T> = Pick<RecordFile<T>, 'id' | 'record'>;

/** The file with one more line; throws what is wrong with it. */
function withLine<T extends object>(
  before: Begun<T> | undefined,
  line: RecordLine,
  { faultOf, changes }: Pick<RecordPlan<T>, 'faultOf' | 'changes'>,
): Begun<T> {
  const { id = before?.id, record, change } = line ?? {};
  if (before && change !== undefined) {
    const changed = changes?.apply(before.record, change);
    if (!changed) throw new Error('this is no change of such a record');
    return { ...before, record: changed };
  }
  if (typeof id !== 'string' || typeof record !== 'object' || record === null) {
    throw new Error('id or record is missing');
  }
  const fault = faultOf(record, id);
  if (fault !== undefined) throw new Error(fault);
  return { id, record: record as T }; // It has just been found to be one.
}

/** Power cuts lose whole sectors; this is the smallest there are. */
const sector = 512;

/**
 * Whether a line that does not fit its checksum is the rest of a write that never ended: it is the last
 * one, and has no line break (a lost end) or sectors that were never written. A line that is whole but for
 * its line break was changed afterwards.
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

/** Bytes of a record's file name: most file systems take 255, and ours get suffixes of up to 60. @internal */
const longestName = 180;

const suffix = '.jsonl';

/**
 * A file name for any id: letters, digits, `-` and `_` stay, the rest becomes %XX; what would be too
 * long is cut and told apart by a hash. Different ids never share a name.
 */
export function fileNameOf(id: string): string {
  const safe = /^[\w-]*$/.test(id) ? id : [...Buffer.from(id)].map(safeByte).join('');
  if (safe.length > 0 && safe.length <= longestName) return `${safe}${suffix}`;
  const hash = createHash('sha256').update(id).digest('hex');
  return `${safe.slice(0, 60)}%h${hash}${suffix}`;
}

function safeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[\w-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0')}`;
}

/** The id that a file is named by; undefined where the name was cut, and only the content tells it. */
export function idOfName(name: string): string | undefined {
  return name.includes('%h') ? undefined : decodeURIComponent(idPart(name));
}

/** What stands for the id in a file's name. */
export function idPart(name: string): string {
  return name.slice(0, -suffix.length);
}

/** Whether a name in a folder is a record's. */
export function isRecordName(name: string): boolean {
  return name.endsWith(suffix);
}

/** The UTC day of a time in milliseconds, `2026-07-28`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether a folder's name is a day. */
export function isDay(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}
