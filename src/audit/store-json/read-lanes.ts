import { dirname } from 'node:path';
import type { Act, Entry, Line } from '#validators/audit';
import type { AuditLine } from '../../base/audit.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { lazy } from '../../base/single-flight.js';
import { faultAt, type Report, throwDamage } from '../../storage/json/check/data-checker.js';
import {
  findSegments,
  type LogFiles,
  readHeader,
  segmentPath,
} from '../../storage/json/log/log-reader.js';
import type { AuditQuery } from '../store.js';
import { compareActs, compareLines } from '../store.js';
import { openLane } from './lane.js';
import {
  type AuditFiles,
  entriesTo,
  factsOf,
  findLanes,
  laneLog,
  ownerPath,
  readClosed,
  readLaneState,
} from './lane-files.js';

/** A segment that may contain entries that match a query. */
interface Part {
  /** Time of the first entry, or an earlier time. */
  readonly from: number;
  /** Returns the entries that match the query, in order. */
  read(): Promise<readonly Line[]>;
}

/** Maximum number of recent action IDs in a set. Two sets are kept to recognize repeated entries. */
const maxRecent = 10_000;

/**
 * Yields the entries of all lanes in order of time. Keeps one segment of each lane in memory. Does not change the
 * files, and other processes may write to them in the meantime. Reports damage, and yields the undamaged entries if
 * `report` does not throw.
 */
export async function* readLanes(
  files: AuditFiles,
  query: AuditQuery,
  report: Report,
): AsyncGenerator<AuditLine> {
  const parts: Part[] = [];
  for (const lane of await findLanes(files)) {
    parts.push(...(await partsOf(laneLog(files, lane), query, report)));
  }
  let recent = new Set<string>();
  let before = recent;
  for await (const line of merged(parts)) {
    if (recent.has(line.id) || before.has(line.id)) continue;
    if (recent.size === maxRecent) [before, recent] = [recent, new Set()];
    recent.add(line.id);
    yield line;
  }
}

/** Yields the entries of all parts in order. A part is read when its first entry may be the next one. */
async function* merged(parts: readonly Part[]): AsyncGenerator<Line> {
  const waiting = [...parts].sort((a, b) => b.from - a.from);
  let active: { readonly lines: readonly Line[]; at: number }[] = [];
  for (;;) {
    let next: Line | undefined;
    let source: (typeof active)[number] | undefined;
    for (const each of active) {
      const line = each.lines[each.at];
      if (line && (!next || compareLines(line, next) < 0)) [next, source] = [line, each];
    }
    const part = waiting.at(-1);
    if (part && (!next || part.from <= next.time)) {
      waiting.pop();
      active = active.filter(({ lines, at }) => at < lines.length);
      active.push({ lines: await part.read(), at: 0 });
    } else if (next && source) {
      source.at += 1;
      yield next;
    } else return;
  }
}

async function partsOf(log: LogFiles, query: AuditQuery, report: Report): Promise<Part[]> {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, kinds } = query;
  const closed = await readClosed(log);
  const { first, last, has, read } = await findSegments(log, report);

  async function linesOf(number: number): Promise<Line[]> {
    const lines: Line[] = [];
    const take = entriesTo((entry) => {
      if (!('line' in entry)) return;
      const { time, kind } = entry.line;
      const isSelected = time >= since && time < until && (!kinds || kinds.includes(kind));
      if (isSelected) lines.push(entry.line);
    }, report);
    if (has(number)) await read(number, take, report);
    else report(faultAt({ file: segmentPath(log, number) }, 'The file is missing.'));
    return lines.sort(compareLines);
  }

  /** Returns the times of a segment's first and last entry, if they are known. */
  async function spanOf(number: number) {
    if (number === last) return closed?.segment === last ? closed.span : undefined;
    return factsOf(await readHeader(log, number + 1))?.before;
  }

  const parts: Part[] = [];
  for (let number = first; number <= last; number += 1) {
    const span = await spanOf(number);
    if (span) {
      const { from, to } = span;
      if (from === null || to === null || to < since || from >= until) continue;
      parts.push({ from, read: () => linesOf(number) });
    } else {
      const lines = await linesOf(number);
      const [earliest] = lines;
      if (earliest) parts.push({ from: earliest.time, read: async () => lines });
    }
  }
  return parts;
}

/**
 * Returns readers of an audit folder (`<data>/audit`) that no process uses. They do not change the files. They keep one
 * segment of each lane and the pending actions in memory.
 */
export function readJsonAudit(folder: string): readonly RecordReader[] {
  const audit = { folder, files };
  return [
    { kind: 'audit', read: () => readLanes(audit, {}, throwDamage) },
    {
      kind: 'pending-act',
      async *read() {
        const acts = new Map<string, Act>();
        for (const lane of await findLanes(audit)) {
          const { open } = await readLaneState(laneLog(audit, lane), throwDamage);
          for (const [id, act] of open) acts.set(id, act);
        }
        yield* [...acts.values()].sort(compareActs);
      },
    },
  ];
}

/** Number of entries that are written concurrently. */
const concurrency = 256;

/** Returns writers that fill an empty audit folder with one lane. */
export function fillJsonAudit(folder: string): readonly RecordWriter[] {
  const audit = { folder, files };
  const log = laneLog(audit, 1);

  async function write(entries: AsyncIterable<Entry>): Promise<void> {
    let failure: unknown;
    const lane = lazy(async () => {
      await ensureFolder(files, dirname(ownerPath(audit, 1)));
      await ensureFolder(files, log.folder);
      const onBackgroundFailure = (error: unknown) => {
        failure ??= error;
      };
      return openLane({ log, report: throwDamage, onBackgroundFailure });
    });
    try {
      await eachOf(entries, concurrency, async (entry) => {
        await (await lane.get()).append(entry);
      });
    } finally {
      await (await lane.made())?.close();
    }
    if (failure) throw failure;
  }

  return [
    { kind: 'audit', write: (lines) => write(entriesOf(lines, (line) => ({ line }) as Entry)) },
    {
      kind: 'pending-act',
      write: (acts) => write(entriesOf(acts, (begun) => ({ begun }) as Entry)),
    },
  ];
}

/** Converts records to entries. Their kind has already been checked. */
async function* entriesOf(
  records: AsyncIterable<object>,
  entryOf: (record: object) => Entry,
): AsyncGenerator<Entry> {
  for await (const record of records) yield entryOf(record);
}
