import { join } from 'node:path';
import type { FileLayer } from '../../base/files/file-layer.js';
import { listFolder } from './collection-files.js';
import { type Place, type Report, repairAdvice } from './data-checker.js';
import { type Line, readFileLines } from './lines.js';

/**
 * A segmented log: lines in files `<name>.<n>.jsonl`, n rising from 1, of which the last one is written to.
 *
 * - The first line of a segment is its header: how long the segment before it was when it ended, the first
 *   segment that counted then, the highest id given, and what else its owner wants to have known.
 * - A line whose JSON text ends in a tab was written together with the line before it. Any other line was
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
export type OnLine = (value: unknown, place: Place, bytes: Buffer) => void;

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
  const numbers = await segmentNumbers(log);
  const mark = await readMark(log, report);
  const headers = new Map<number, SegmentHeader | undefined>();
  for (const number of numbers) headers.set(number, (await scan(log, number)).header);
  const { first, stillborn } = await findExtent(log, headers, mark);
  const useless = numbers.filter((number) => number < first || number === stillborn);
  for (const number of useless) headers.delete(number);
  const last = Math.max(
    0,
    ...headers.keys(),
    ...(mark && mark.segment >= first ? [mark.segment] : []),
  );
  const segments: Segment[] = [];
  for (let number = first; number <= last; number += 1) {
    if (headers.has(number)) {
      const known = mark?.segment === number ? mark.length : 0;
      const durable = number === last ? known : headers.get(number + 1)?.previous;
      segments.push(await readSegment(log, number, durable, number === last, onLine, report));
    } else {
      const file = segmentPath(log, number);
      report({ severity: 'error', file, message: 'The file is missing.', advice: repairAdvice });
    }
  }
  const lastIds = [...headers.values(), mark].map((each) => each?.lastId ?? 0);
  return { segments, first, last, useless, lastId: Math.max(0, ...lastIds), mark };
}

/** Numbers of the segments in a folder, rising. */
async function segmentNumbers({ folder, name, files }: LogFiles): Promise<number[]> {
  const found = (await listFolder(files, folder)).flatMap((file) => {
    const number = file.startsWith(`${name}.`) && /^\.(\d+)\.jsonl$/.exec(file.slice(name.length));
    return number ? [Number(number[1])] : [];
  });
  return found.sort((a, b) => a - b);
}

async function readMark(log: LogFiles, report: Report): Promise<DurableMark | undefined> {
  const file = markPath(log);
  for await (const [line] of readFileLines(log.files, file)) {
    if (line?.text !== undefined) return JSON.parse(line.text) as DurableMark;
    // As a power cut may leave it.
    const message = 'This line is damaged: its checksum does not fit.';
    const advice = 'Nothing to do: the next start writes it anew.';
    report({ severity: 'note', file, line: 1, message, advice });
    break;
  }
  return undefined;
}

/** The first segment that counts, and the last one where it was only just being begun. */
async function findExtent(
  log: LogFiles,
  headers: ReadonlyMap<number, SegmentHeader | undefined>,
  mark: DurableMark | undefined,
): Promise<{ first: number; stillborn: number | undefined }> {
  const isTold = mark !== undefined || [...headers.values()].some((header) => header);
  // Where nothing says which segments were dropped, those that are gone were.
  const [lowest = 1] = isTold ? [] : headers.keys();
  let first = Math.max(log.first ?? lowest, mark?.first ?? 1);
  let stillborn: number | undefined;
  const downwards = [...headers].reverse();
  for (const [number, header] of downwards) {
    first = Math.max(first, header?.first ?? 1);
    if (header && number <= first) break;
    const { dropped, lines } = await scan(log, number, 'whole');
    first = Math.max(first, dropped);
    if (number === downwards[0]?.[0] && lines === 0 && (mark?.segment ?? 0) < number) {
      // Its beginning failed where the segment before it was written to afterwards.
      const before = await log.files.stat(segmentPath(log, number - 1)).catch(() => undefined);
      if (!header || (before?.size ?? 0) > header.previous) {
        stillborn = number;
        continue;
      }
    }
    // What was dropped before this segment began stands in its header.
    if (header) break;
  }
  return { first, stillborn };
}

/** A segment's header; with `whole`, what is dropped in it, too, and how many whole lines follow. */
async function scan(log: LogFiles, number: number, extent?: 'whole') {
  let header: SegmentHeader | undefined;
  let dropped = 0;
  let lines = 0;
  for await (const some of readFileLines(log.files, segmentPath(log, number))) {
    for (const { start, text } of some) {
      if (text === undefined) continue;
      if (start === 0) header = headerOf(JSON.parse(text));
      else lines += 1;
      if (text.startsWith('{"dropped":')) dropped = droppedIn(JSON.parse(text)) ?? dropped;
    }
    if (!extent) break;
  }
  return { header, dropped, lines };
}

/**
 * `durable`: bytes that are known to have been on disk; undefined where that is not known of a segment that
 * is not the last one, and all of it was.
 */
async function readSegment(
  log: LogFiles,
  number: number,
  durable: number | undefined,
  isLast: boolean,
  onLine: OnLine,
  report: Report,
): Promise<Segment> {
  const path = segmentPath(log, number);
  let header: SegmentHeader | undefined;
  let length = 0;
  let lines = 0;
  /** From a damaged line on that may never have been on disk: what nobody was told of, or not. */
  let doubtful: Line[] = [];

  function take({ number: line, start, text, bytes, end, isUnbroken }: Line): void {
    length = end;
    lines = line;
    const place = { file: path, line };
    const value = text === undefined ? undefined : (JSON.parse(text) as unknown);
    if (isUnbroken) {
      const message = 'The line break behind this line is damaged; the line itself is whole.';
      report({ severity: 'note', ...place, message, advice: repairAdvice }, bytes);
    }
    if (start === 0) header = headerOf(value);
    if (start === 0 ? !header : value === undefined) {
      const message = 'This line is damaged: its checksum does not fit.';
      report({ severity: 'error', ...place, message, advice: repairAdvice }, bytes);
    } else if (start > 0 && droppedIn(value) === undefined) onLine(value, place, bytes);
  }

  let size = 0;
  for await (const some of readFileLines(log.files, path)) {
    for (const line of some) {
      size = line.end;
      const isKnown = !isLast || line.start < (durable ?? 0);
      const isTogether = line.text?.endsWith('\t') ?? true;
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
  if (durable !== undefined && size < durable) {
    const message = `The file has ${size} bytes of ${durable}: its end is missing.`;
    report({ severity: 'error', file: path, line: lines + 1, message, advice: repairAdvice });
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
