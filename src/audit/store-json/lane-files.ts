import { join } from 'node:path';
import {
  type Act,
  type Closed,
  type Entry,
  type Facts,
  Closed as isClosed,
  Entry as isEntry,
  Facts as isFacts,
  type Span,
} from '#validators/audit';
import { listFolder, readBytes } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import {
  damagedLine,
  faultAt,
  type Place,
  type Report,
} from '../../storage/json/check/data-checker.js';
import { bytesOf, type Line, readValueLine } from '../../storage/json/lines/lines.js';
import {
  findSegments,
  type LogContent,
  type LogFiles,
  readHeader,
  readLog,
  readMark,
  type SegmentHeader,
  segmentPath,
} from '../../storage/json/log/log-reader.js';

/**
 * `<data>/audit` has a folder for each lane, `1`, `2`, …, and `owners/<lane>.json`, which says whose it is:
 *
 * - `<lane>/audit.<n>.jsonl`, a segmented log of acts that begin and of acts that are over. The header of a
 *   segment says which acts were under way, and from when to when the lines of the segment before it are.
 * - `<lane>/closed.json`, while nobody works on the lane and no act in it is under way.
 */
export interface AuditFiles {
  /** `<data>/audit`. */
  readonly folder: string;
  readonly files: FileLayer;
}

/** The log of a lane. */
export function laneLog({ folder, files }: AuditFiles, lane: number): LogFiles {
  return { folder: join(folder, String(lane)), name: 'audit', files };
}

/** The file that says whose a lane is. */
export function ownerPath({ folder }: AuditFiles, lane: number): string {
  return join(folder, 'owners', `${lane}.json`);
}

export function closedPath(log: LogFiles): string {
  return join(log.folder, 'closed.json');
}

/** Numbers of the lanes that there are, rising. */
export async function findLanes({ folder, files }: AuditFiles): Promise<number[]> {
  const names = await listFolder(files, folder);
  const lanes = names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
  return lanes.sort((a, b) => a - b);
}

/** What `closed.json` says, if it is there and whole, and the log is as it was then. */
export async function readClosed(log: LogFiles): Promise<Closed | undefined> {
  const bytes = await readBytes(log.files, closedPath(log));
  const closed = bytes && readValueLine(bytes);
  if (!isClosed(closed)) return undefined;
  const last = await log.files.stat(segmentPath(log, closed.segment)).catch(() => undefined);
  return last?.size === closed.length ? closed : undefined;
}

/** Reports a `closed.json` that is damaged; nothing is lost, as the log itself says the same. */
export async function checkClosed(log: LogFiles, report: Report): Promise<void> {
  const file = closedPath(log);
  const bytes = await readBytes(log.files, file);
  if (bytes === undefined || isClosed(readValueLine(bytes))) return;
  const advice = 'Nothing to do: the next process that uses the lane reads the log instead.';
  report({ severity: 'note', file, line: 1, message: damagedLine, advice });
}

/** Whether all lines of the oldest segment of a lane are from before a time. */
export async function hasLinesBefore(
  log: LogFiles,
  { first, segment, span }: Closed,
  time: number,
): Promise<boolean> {
  const oldest = first === segment ? span : factsOf(await readHeader(log, first + 1))?.before;
  return typeof oldest?.to === 'number' && oldest.to < time;
}

/** What the header of a segment says beyond what every header does; undefined where it says nothing. */
export function factsOf(header: SegmentHeader | undefined): Facts | undefined {
  return isFacts(header) ? header : undefined;
}

/** Gives the entry in a line to `onEntry`; a line that is none is reported. */
export function entriesTo(onEntry: (entry: Entry, place: Place) => void, report: Report) {
  return (value: unknown, place: Place, line: Line) => {
    if (isEntry(value)) onEntry(value, place);
    else report(faultAt(place, 'This line is no line of the audit.'), bytesOf(line));
  };
}

export const noSpan: Span = { from: null, to: null };

/** Notes in `open` what an entry begins or ends; gives the span with its line. */
export function apply(entry: Entry, open: Map<string, Act>, span: Span): Span {
  if ('begun' in entry) open.set(entry.begun.id, entry.begun);
  if (!('line' in entry)) return span;
  if (entry.ends !== undefined) open.delete(entry.ends);
  const { time } = entry.line;
  return { from: Math.min(span.from ?? time, time), to: Math.max(span.to ?? time, time) };
}

/** What has to be known of a lane before it is written to. */
export interface LaneState {
  readonly content: LogContent;
  /** Acts that were begun and not ended, by id. */
  readonly open: ReadonlyMap<string, Act>;
  /** Of the last segment's lines. */
  readonly span: Span;
}

/** Reads the end of a lane, which nobody works on: at most two segments, and none that was closed. */
export async function readLaneState(log: LogFiles, report: Report): Promise<LaneState> {
  return (await readClosedState(log, report)) ?? readOpenState(log, report);
}

async function readClosedState(log: LogFiles, report: Report): Promise<LaneState | undefined> {
  const closed = await readClosed(log);
  if (!closed) return undefined;
  const { first, segment, length, span } = closed;
  const header = await readHeader(log, segment);
  if (!header) return undefined;
  const mark = await readMark(log, report);
  const last = { number: segment, header, length, size: length };
  const content = { segments: [last], first, last: segment, useless: [], lastId: 0, mark };
  return { content, open: new Map(), span };
}

async function readOpenState(log: LogFiles, report: Report): Promise<LaneState> {
  const { first, last, mark, useless } = await findSegments(log, () => {});
  const headers = new Map<string, Facts | undefined>();
  let from = last;
  // The one before the last one tells whether the last one was ever used, and further ones where a header is lost.
  for (let isKnown = false; from > first && !(isKnown && from < last); ) {
    from -= 1;
    isKnown = factsOf(await readHeader(log, from)) !== undefined;
  }
  from = Math.max(from, first);
  for (let number = from; number <= last; number += 1) {
    headers.set(segmentPath(log, number), factsOf(await readHeader(log, number)));
  }
  let open = new Map<string, Act>();
  let span = noSpan;
  let current: string | undefined;

  function enter(file: string): void {
    if (file === current) return;
    current = file;
    span = noSpan;
    const facts = headers.get(file);
    if (facts) open = new Map(facts.open.map((act) => [act.id, act]));
  }

  const onEntry = (entry: Entry, { file }: Place) => {
    enter(file);
    span = apply(entry, open, span);
  };
  const content = await readLog({ ...log, first: from }, entriesTo(onEntry, report), report);
  if (content.last > 0) enter(segmentPath(log, content.last));
  // What came before was not read, and counts.
  const isUseless = (number: number) => number >= from || useless.includes(number);
  return {
    content: { ...content, first, useless: content.useless.filter(isUseless), mark },
    open,
    span,
  };
}
