import { join } from 'node:path';
import { listFolder } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { damagedLine, faultAt, noteBreak, type Place, type Report } from '../check/data-checker.js';
import { bytesOf, type Line, readFileLines } from '../lines/lines.js';

/**
 * A segmented log: lines in files `<name>.<n>.jsonl`, n rising from 1, of which the last one is written to.
 *
 * - The first line of a segment is its header: how long the segment before it was when it ended, the first
 *   segment that counted then, the highest id given, and what else its owner wants to have known.
 * - A line with a tab before its checksum was written together with the line before it. Any other line was
 *   written when everything before it was on disk.
 * - `{"dropped":n}` says that the segments before n no longer count, whether they are there or not.
 * - `<name>.durable.json` keeps how far the last segment was on disk: exact after a clean stop and when the
 *   process was killed; after a power cut it may be older, and then claims less.
 *
 * So a damaged line is damage where it is known to have been on disk; else it is what a cut left of lines
 * that were never acknowledged, and ends the log.
 */
export interface LogFiles {
  readonly folder: string;
  readonly name: string;
  readonly files: FileLayer;
  /** The first segment that counts, where the owner knows. */
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

/** What `<name>.durable.json` says. */
export interface DurableMark {
  /** The first segment that counted. */
  readonly first: number;
  readonly segment: number;
  readonly length: number;
  readonly lastId: number;
}

interface Segment {
  readonly number: number;
  /** Undefined where it is damaged. */
  readonly header: SegmentHeader | undefined;
  /** Bytes that hold whole lines, and those of the file. */
  readonly length: number;
  readonly size: number;
}

/** What is known of a log once it was read. */
export interface LogContent {
  /** Those that are there and count, oldest first. */
  readonly segments: readonly Segment[];
  readonly first: number;
  /** The highest number that is known; 0 where there is no such log. */
  readonly last: number;
  /** Files of no use: dropped, or just being begun when the process ended. */
  readonly useless: readonly number[];
  readonly lastId: number;
  readonly mark: DurableMark | undefined;
}

/** What is known of a log that is not there. */
export const noLog: LogContent = {
  segments: [],
  first: 1,
  last: 0,
  useless: [],
  lastId: 0,
  mark: undefined,
};

/** Called for the value of every line but headers and drops, in order. */
export type OnLine = (value: unknown, place: Place, line: Line) => void;

/** The white space that marks a line as written together with the line before it. */
export const togetherMark = '\t';
/** How the JSON text of such a line ends. */
const togetherEnd = `${togetherMark}}`;

export function segmentPath({ folder, name }: LogFiles, number: number): string {
  return join(folder, `${name}.${number}.jsonl`);
}

export function markPath({ folder, name }: LogFiles): string {
  return join(folder, `${name}.durable.json`);
}

/**
 * Reads a log without touching it. Damage and what a cut has left are reported; damaged lines and missing
 * files are passed over where `report` does not throw.
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

/** The segments of a log, which are read one by one; see `LogContent` for what is known of them. */
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
    /** As `readLog` reads it. */
    read: (number: number, onLine: OnLine, report: Report) =>
      readSegment(log, number, number === last, mark, onLine, report),
  };
}

/** Numbers of the segments in a folder, rising. */
async function segmentNumbers({ folder, name, files }: LogFiles): Promise<number[]> {
  const found = (await listFolder(files, folder)).flatMap((file) => {
    const number = file.startsWith(`${name}.`) && /^\.(\d+)\.jsonl$/.exec(file.slice(name.length));
    return number ? [Number(number[1])] : [];
  });
  return found.sort((a, b) => a - b);
}

/** What is known of how far a log is on disk. */
export async function readMark(log: LogFiles, report: Report): Promise<DurableMark | undefined> {
  const file = markPath(log);
  for await (const [line] of readFileLines(log.files, file)) {
    if (line) noteBreak(line, file, report);
    if (line?.text !== undefined) return JSON.parse(line.text) as DurableMark;
    // As a power cut may leave it.
    const advice = 'Nothing to do: the next start writes it again.';
    report({ severity: 'note', file, line: 1, message: damagedLine, advice });
    break;
  }
  return undefined;
}

/** The first segment that counts, and the last one where it was only just being begun, and never used. */
async function findExtent(
  log: LogFiles,
  numbers: readonly number[],
  mark: DurableMark | undefined,
): Promise<{ first: number; unused: number | undefined }> {
  let first = Math.max(log.first ?? 1, mark?.first ?? 1);
  let unused: number | undefined;
  let isTold = mark !== undefined || log.first !== undefined;
  for (const number of numbers.toReversed()) {
    const header = await readHeader(log, number);
    isTold ||= header !== undefined;
    first = Math.max(first, header?.first ?? 1);
    if (header && number <= first) return { first, unused };
    const { dropped, lines } = await scan(log, number);
    first = Math.max(first, dropped);
    if (number === numbers.at(-1) && lines === 0 && (mark?.segment ?? 0) < number) {
      // Its beginning failed where the segment before it was written to afterwards.
      const before = await log.files.stat(segmentPath(log, number - 1)).catch(() => undefined);
      if (!header || (before?.size ?? 0) > header.previous) {
        unused = number;
        continue;
      }
    }
    // What was dropped before this segment began stands in its header.
    if (header) return { first, unused };
  }
  // Where nothing says which segments were dropped, those that are gone were.
  if (!isTold) first = Math.max(first, numbers[0] ?? 1);
  return { first, unused };
}

/** The header of a segment; undefined where it is damaged, or there is no such segment. */
export async function readHeader(
  log: LogFiles,
  number: number,
): Promise<SegmentHeader | undefined> {
  for await (const [line] of readFileLines(log.files, segmentPath(log, number))) {
    return line?.text === undefined ? undefined : headerOf(JSON.parse(line.text));
  }
  return undefined;
}

/** Which segments a line of this one says were dropped, and how many whole lines follow its header. */
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
  /** Bytes that are known to have been on disk; of a segment that is not the last one, all of them were. */
  const known = mark?.segment === number ? mark.length : 0;
  const durable = isLast ? known : ((await readHeader(log, number + 1))?.previous ?? 0);
  /** From a damaged line on that may never have been on disk: what nobody was told of, or not. */
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
    const advice = 'Nothing to do: the next start drops it.';
    report({ severity: 'note', file: path, line: lines + 1, message, advice });
  }
  if (size < durable) {
    const message = `The file has ${size} bytes of ${durable}: its end is missing.`;
    report(faultAt({ file: path, line: lines + 1 }, message));
  }
  return { number, header, length, size };
}

/** The header in a value, unless it is none. */
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
