import { join } from 'node:path';
import { listFolder } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { damagedLine, faultAt, noteBreak, type Place, type Report } from '../check/data-checker.js';
import { bytesOf, type Line, readFileLines } from '../lines/lines.js';

/**
 * A segmented log: lines in files `<name>.<n>.jsonl`, where n is counted from 1. Only the last file is written to.
 *
 * - The first line of a segment is its header. It contains the final length of the previous segment, the first segment
 *   that was in use at that time, the highest ID assigned so far, and further members of the log's owner.
 * - A line with a tab before its checksum was written together with the previous line. Any other line was
 *   written when everything before it was on disk.
 * - `{"dropped":n}` means that the segments before n are no longer in use, even if their files exist.
 * - `<name>.durable.json` records how much of the last segment was on disk. It is exact after a clean shutdown and
 *   after a kill. After a power cut it may be older and state a shorter length.
 *
 * A line within the recorded length whose checksum does not match is damaged. Beyond that length, it is the remainder
 * of a write that was never acknowledged, and the log ends before it.
 */
export interface LogFiles {
  readonly folder: string;
  readonly name: string;
  readonly files: FileLayer;
  /** The first segment in use, if the owner knows it. */
  readonly first?: number;
}

/** The first line of a segment. */
export interface SegmentHeader {
  readonly log: string;
  readonly segment: number;
  readonly first: number;
  readonly previous: number;
  readonly lastId: number;
  readonly [fact: string]: unknown;
}

/** The content of `<name>.durable.json`. */
export interface DurableMark {
  /** The first segment in use. */
  readonly first: number;
  readonly segment: number;
  readonly length: number;
  readonly lastId: number;
}

interface Segment {
  readonly number: number;
  /** Undefined if it is damaged. */
  readonly header: SegmentHeader | undefined;
  /** Size up to the end of the last complete line, in bytes; `size` is the size of the file. */
  readonly length: number;
  readonly size: number;
}

/** The state of a log after it has been read. */
export interface LogContent {
  /** Existing segments in use, oldest first. */
  readonly segments: readonly Segment[];
  readonly first: number;
  /** The highest known number; 0 if the log does not exist. */
  readonly last: number;
  /** Segments to remove: dropped ones, and one that was being created when the process exited. */
  readonly useless: readonly number[];
  readonly lastId: number;
  readonly mark: DurableMark | undefined;
}

/** The state of a log that does not exist. */
export const noLog: LogContent = {
  segments: [],
  first: 1,
  last: 0,
  useless: [],
  lastId: 0,
  mark: undefined,
};

/** Called in order with the value of each line that is neither a header nor a `dropped` line. */
export type OnLine = (value: unknown, place: Place, line: Line) => void;

/** The white space that marks a line as written together with the previous one. */
export const togetherMark = '\t';
/** The end of such a line's JSON text. */
const togetherEnd = `${togetherMark}}`;

export function segmentPath({ folder, name }: LogFiles, number: number): string {
  return join(folder, `${name}.${number}.jsonl`);
}

export function markPath({ folder, name }: LogFiles): string {
  return join(folder, `${name}.durable.json`);
}

/**
 * Reads a log without changing it. Reports damage and torn lines; if `report` does not throw, skips damaged lines
 * and missing files.
 */
export async function readLog(log: LogFiles, onLine: OnLine, report: Report): Promise<LogContent> {
  const { first, last, useless, mark, has, read } = await findSegments(log, report);
  const segments: Segment[] = [];
  for (let number = first; number <= last; number += 1) {
    if (has(number)) segments.push(await read(number, onLine, report));
    else report(faultAt({ file: segmentPath(log, number) }, 'The file is missing.'));
  }
  const lastId = Math.max(mark?.lastId ?? 0, ...segments.map(({ header }) => header?.lastId ?? 0));
  return { segments, first, last, useless, lastId, mark };
}

/** Finds the segments of a log, so that the caller can read them one by one. `LogContent` describes the fields. */
export async function findSegments(log: LogFiles, report: Report) {
  const numbers = await segmentNumbers(log);
  const mark = await readMark(log, report);
  const { first, unused } = await findExtent(log, numbers, mark);
  const counted = new Set(numbers.filter((number) => number >= first && number !== unused));
  const last = Math.max(0, ...counted, mark && mark.segment >= first ? mark.segment : 0);
  return {
    first,
    last,
    useless: numbers.filter((number) => !counted.has(number)),
    mark,
    has: (number: number) => counted.has(number),
    /** Reads one segment as `readLog` does. */
    read: (number: number, onLine: OnLine, report: Report) =>
      readSegment(log, number, number === last, mark, onLine, report),
  };
}

/** Returns the numbers of the segments in a folder, in ascending order. */
async function segmentNumbers({ folder, name, files }: LogFiles): Promise<number[]> {
  const found = (await listFolder(files, folder)).flatMap((file) => {
    const number = file.startsWith(`${name}.`) && /^\.(\d+)\.jsonl$/.exec(file.slice(name.length));
    return number ? [Number(number[1])] : [];
  });
  return found.sort((a, b) => a - b);
}

/** Reads how much of a log was on disk; undefined if that is unknown. */
export async function readMark(log: LogFiles, report: Report): Promise<DurableMark | undefined> {
  const file = markPath(log);
  for await (const [line] of readFileLines(log.files, file)) {
    if (line) noteBreak(line, file, report);
    if (line?.text !== undefined) return JSON.parse(line.text) as DurableMark;
    // A power cut can leave a damaged mark.
    const advice = 'No action is needed. The next start rewrites the file.';
    report({ severity: 'note', file, line: 1, message: damagedLine, advice });
    break;
  }
  return undefined;
}

/** Returns the first segment in use, and the number of the last one if it was created but never used. */
async function findExtent(
  log: LogFiles,
  numbers: readonly number[],
  mark: DurableMark | undefined,
): Promise<{ first: number; unused: number | undefined }> {
  let first = Math.max(log.first ?? 1, mark?.first ?? 1);
  let unused: number | undefined;
  let isFirstKnown = mark !== undefined || log.first !== undefined;
  for (const number of numbers.toReversed()) {
    const header = await readHeader(log, number);
    isFirstKnown ||= header !== undefined;
    first = Math.max(first, header?.first ?? 1);
    if (header && number <= first) return { first, unused };
    const { dropped, lines } = await scan(log, number);
    first = Math.max(first, dropped);
    if (number === numbers.at(-1) && lines === 0 && (mark?.segment ?? 0) < number) {
      // If the previous segment was written to afterwards, creating this one failed.
      const before = await log.files.stat(segmentPath(log, number - 1)).catch(() => undefined);
      if (!header || (before?.size ?? 0) > header.previous) {
        unused = number;
        continue;
      }
    }
    // The header states which segments had been dropped before this one was created.
    if (header) return { first, unused };
  }
  // Without any record of dropped segments, the missing ones are treated as dropped.
  if (!isFirstKnown) first = Math.max(first, numbers[0] ?? 1);
  return { first, unused };
}

/** Returns the header of a segment; undefined if it is damaged or the segment does not exist. */
export async function readHeader(
  log: LogFiles,
  number: number,
): Promise<SegmentHeader | undefined> {
  for await (const [line] of readFileLines(log.files, segmentPath(log, number))) {
    return line?.text === undefined ? undefined : headerOf(JSON.parse(line.text));
  }
  return undefined;
}

/** Returns the last `dropped` number in a segment (0 if there is none) and its number of lines after the header. */
async function scan(log: LogFiles, number: number): Promise<{ dropped: number; lines: number }> {
  let dropped = 0;
  let lines = 0;
  for await (const some of readFileLines(log.files, segmentPath(log, number))) {
    for (const { start, text } of some) {
      if (text === undefined || start === 0) continue;
      lines += 1;
      if (text.startsWith('{"dropped":')) dropped = droppedIn(JSON.parse(text)) ?? dropped;
    }
  }
  return { dropped, lines };
}

async function readSegment(
  log: LogFiles,
  number: number,
  isLast: boolean,
  mark: DurableMark | undefined,
  onLine: OnLine,
  report: Report,
): Promise<Segment> {
  const path = segmentPath(log, number);
  let header: SegmentHeader | undefined;
  let length = 0;
  let lines = 0;
  /** Number of bytes that were on disk for certain. All segments before the last one were completely on disk. */
  const known = mark?.segment === number ? mark.length : 0;
  const durable = isLast ? known : ((await readHeader(log, number + 1))?.previous ?? 0);
  /** The first damaged line and the lines after it, which may not have been acknowledged. */
  let doubtful: Line[] = [];

  function take(line: Line): void {
    const { number, start, text, end } = line;
    length = end;
    lines = number;
    const place = { file: path, line: number };
    const value = text === undefined ? undefined : (JSON.parse(text) as unknown);
    noteBreak(line, path, report);
    if (start === 0) header = headerOf(value);
    if (start === 0 ? !header : value === undefined)
      report(faultAt(place, damagedLine), bytesOf(line));
    else if (start > 0 && droppedIn(value) === undefined) onLine(value, place, line);
  }

  let size = 0;
  for await (const some of readFileLines(log.files, path)) {
    for (const line of some) {
      size = line.end;
      const isKnown = !isLast || line.start < durable;
      const isTogether = line.text?.endsWith(togetherEnd) ?? true;
      if (!isKnown && isTogether && (line.text === undefined || doubtful.length > 0)) {
        doubtful.push(line);
        continue;
      }
      for (const each of doubtful) take(each);
      doubtful = [];
      take(line);
    }
  }
  if (doubtful.length > 0) {
    const message = 'The last line is torn: a crash cut it off before it was acknowledged.';
    const advice = 'No action is needed. The next start drops the line.';
    report({ severity: 'note', file: path, line: lines + 1, message, advice });
  }
  if (size < durable) {
    const message = `The end of the file is missing: it has ${size} of ${durable} bytes.`;
    report(faultAt({ file: path, line: lines + 1 }, message));
  }
  return { number, header, length, size };
}

/** Returns the value as a header, or undefined if it is not one. */
function headerOf(value: unknown): SegmentHeader | undefined {
  const header = value as Partial<SegmentHeader> | undefined;
  const isHeader =
    typeof header?.log === 'string' &&
    [header.segment, header.first, header.previous, header.lastId].every(Number.isSafeInteger);
  return isHeader ? (header as SegmentHeader) : undefined;
}

function droppedIn(value: unknown): number | undefined {
  const dropped = (value as { dropped?: unknown } | null)?.dropped;
  return Number.isSafeInteger(dropped) ? (dropped as number) : undefined;
}
