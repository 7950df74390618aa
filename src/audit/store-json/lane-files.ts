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
 * `<data>/audit` contains a folder for each lane, `1`, `2`, …, and the file `owners/<lane>.json`, which names the
 * lane's process:
 *
 * - `<lane>/audit.<n>.jsonl` is a segmented log of the starts and ends of actions. The header of a segment lists the
 *   pending actions, and the times of the first and last line of the previous segment.
 * - `<lane>/closed.json` exists while no process uses the lane and none of its actions is pending.
 */
export interface AuditFiles {
  /** `<data>/audit`. */
  readonly folder: string;
  readonly files: FileLayer;
}

/** Returns the log of a lane. */
export function laneLog({ folder, files }: AuditFiles, lane: number): LogFiles {
  return { folder: join(folder, String(lane)), name: 'audit', files };
}

/** Returns the path of a lane's owner file. */
export function ownerPath({ folder }: AuditFiles, lane: number): string {
  return join(folder, 'owners', `${lane}.json`);
}

export function closedPath(log: LogFiles): string {
  return join(log.folder, 'closed.json');
}

/** Returns the numbers of the existing lanes, in ascending order. */
export async function findLanes({ folder, files }: AuditFiles): Promise<number[]> {
  const names = await listFolder(files, folder);
  const lanes = names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
  return lanes.sort((a, b) => a - b);
}

/** Returns the content of `closed.json` if it is undamaged and the log has not changed since it was written. */
export async function readClosed(log: LogFiles): Promise<Closed | undefined> {
  const bytes = await readBytes(log.files, closedPath(log));
  const closed = bytes && readValueLine(bytes);
  if (!isClosed(closed)) return undefined;
  const last = await log.files.stat(segmentPath(log, closed.segment)).catch(() => undefined);
  return last?.size === closed.length ? closed : undefined;
}

/** Reports a damaged `closed.json`. Nothing is lost, because the log contains the same facts. */
export async function checkClosed(log: LogFiles, report: Report): Promise<void> {
  const file = closedPath(log);
  const bytes = await readBytes(log.files, file);
  if (bytes === undefined || isClosed(readValueLine(bytes))) return;
  const advice =
    'No action is required. The next process that uses the lane reads the log instead.';
  report({ severity: 'note', file, line: 1, message: damagedLine, advice });
}

/** Returns whether all lines of a lane's oldest segment are from before a time. */
export async function hasLinesBefore(
  log: LogFiles,
  { first, segment, span }: Closed,
  time: number,
): Promise<boolean> {
  const oldest = first === segment ? span : factsOf(await readHeader(log, first + 1))?.before;
  return typeof oldest?.to === 'number' && oldest.to < time;
}

/** Returns the facts in the header of a segment, if it has any. */
export function factsOf(header: SegmentHeader | undefined): Facts | undefined {
  return isFacts(header) ? header : undefined;
}

/** Returns a line handler that passes entries to `onEntry` and reports invalid lines. */
export function entriesTo(onEntry: (entry: Entry, place: Place) => void, report: Report) {
  return (value: unknown, place: Place, line: Line) => {
    if (isEntry(value)) onEntry(value, place);
    else report(faultAt(place, 'This line is not an entry of the audit log.'), bytesOf(line));
  };
}

export const noSpan: Span = { from: null, to: null };

/** Updates the pending actions with an entry, and returns the span extended by its line. */
export function apply(entry: Entry, open: Map<string, Act>, span: Span): Span {
  if ('begun' in entry) open.set(entry.begun.id, entry.begun);
  if (!('line' in entry)) return span;
  if (entry.ends !== undefined) open.delete(entry.ends);
  const { time } = entry.line;
  return { from: Math.min(span.from ?? time, time), to: Math.max(span.to ?? time, time) };
}

/** The state of a lane, which is required for writing to it. */
export interface LaneState {
  readonly content: LogContent;
  /** Actions that have started but not ended, by ID. */
  readonly open: ReadonlyMap<string, Act>;
  /** Times of the last segment's lines. */
  readonly span: Span;
}

/**
 * Reads the state of a lane that no process uses. Usually reads at most two segments, and none if the lane is closed.
 */
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
  // The second-to-last segment shows whether the last one was used. Earlier ones are needed if a header is damaged.
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
  // Segments before `from` are included even though they were not read.
  const isUseless = (number: number) => number >= from || useless.includes(number);
  return {
    content: { ...content, first, useless: content.useless.filter(isUseless), mark },
    open,
    span,
  };
}
