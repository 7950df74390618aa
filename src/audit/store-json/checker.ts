import { join } from 'node:path';
import type { Act, Facts } from '#validators/audit';
import { syncFolder, withFile, writeAll } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import {
  type DataChecker,
  type Finding,
  faultAt,
  type Repair,
  type Report,
  repairAdvice,
  setAside,
} from '../../storage/json/check/data-checker.js';
import {
  bytesOf,
  encodeLine,
  lineOverhead,
  readFileLines,
} from '../../storage/json/lines/lines.js';
import {
  findSegments,
  type LogFiles,
  readHeader,
  readLog,
  segmentPath,
} from '../../storage/json/log/log-reader.js';
import {
  apply,
  checkClosed,
  entriesTo,
  factsOf,
  findLanes,
  laneLog,
  noSpan,
} from './lane-files.js';

/** Checks and repairs the lanes of the audit. */
export const auditChecker: DataChecker = {
  name: 'audit',
  async check(data, report) {
    const audit = { folder: join(data, 'audit'), files };
    for (const lane of await findLanes(audit)) {
      const log = laneLog(audit, lane);
      const ignore = () => {};
      await readLog(log, entriesTo(ignore, report), report);
      await checkClosed(log, report);
    }
  },
  async repair(data, repair) {
    const audit = { folder: join(data, 'audit'), files };
    for (const lane of await findLanes(audit)) await repairLane(data, laneLog(audit, lane), repair);
  },
};

/**
 * Puts a line that says that something was lost where damaged ones are: every other line stays where it is, and what
 * the log knows of lengths stays true. Harmless where it was cut off before.
 */
async function repairLane(data: string, log: LogFiles, { tell }: Repair): Promise<void> {
  const { first, last, mark, has, read } = await findSegments(log, () => {});
  /** What the header of the next segment has to say. */
  let facts: Facts | undefined;
  for (let number = first; number <= last; number += 1) {
    const path = segmentPath(log, number);
    const known = factsOf(await readHeader(log, number)) ?? facts;
    const open = new Map<string, Act>(known?.open.map((act) => [act.id, act]));
    let span = noSpan;
    const faults: Finding[] = [];
    const report: Report = (finding) => {
      // What the next start puts right by itself is left to it.
      if (finding.advice === repairAdvice) faults.push(finding);
    };
    const take = entriesTo((entry) => {
      span = apply(entry, open, span);
    }, report);
    if (has(number)) await read(number, take, report);
    else report(faultAt({ file: path }, 'The file is missing.'));
    if (faults.length > 0) {
      const own = mark?.segment === number ? mark.length : 0;
      const durable = (await readHeader(log, number + 1))?.previous ?? own;
      const previous = number > first ? await sizeOf(segmentPath(log, number - 1)) : 0;
      const fields = { log: log.name, segment: number, first, previous, lastId: 0 };
      await repairSegment({
        data,
        path,
        faults,
        durable,
        headers: [{ ...fields, ...known }, fields],
        tell,
      });
    }
    facts = { open: [...open.values()], before: span };
  }
  await syncFolder(files, log.folder);
}

interface SegmentRepair extends Pick<Repair, 'tell'> {
  readonly data: string;
  readonly path: string;
  readonly faults: readonly Finding[];
  /** Bytes that were on disk. */
  readonly durable: number;
  /** What its first line may be, the one that says most first. */
  readonly headers: readonly object[];
}

/** Bytes of a file that are to be replaced. */
interface Region {
  readonly start: number;
  readonly end: number;
}

async function repairSegment(repair: SegmentRepair): Promise<void> {
  const { data, path, faults, durable, headers, tell } = repair;
  const damaged = new Set(faults.map(({ line }) => line));
  const size = await sizeOf(path);
  const regions: Region[] = [];
  const breaks: number[] = [];
  const add = (region: Region) => {
    const before = regions.at(-1);
    if (before?.end === region.start) regions.splice(-1, 1, { ...before, end: region.end });
    else regions.push(region);
  };
  for await (const lines of readFileLines(files, path)) {
    for (const { number, start, end, isUnbroken } of lines) {
      const before = regions.at(-1);
      // Too short for the line that takes its place, which does not happen to lines as they are written.
      const isTooShort = before?.end === start && !textFor(before, headers);
      if (isUnbroken && start > 0) breaks.push(end - 1);
      else if (damaged.has(number) || isTooShort) add({ start, end });
    }
  }
  if (size < durable || size === 0) add({ start: size, end: durable });
  for (const finding of faults) {
    const { message, advice: _, severity: __, ...place } = finding;
    tell({ ...place, message: `${message} ${await keep(finding)}` });
  }

  async function keep({ line }: Finding): Promise<string> {
    for await (const lines of readFileLines(files, path)) {
      const found = lines.find(({ number }) => number === line);
      if (!found) continue;
      return `It was set aside as ${await setAside(files, data, path, bytesOf(found))}.`;
    }
    return 'What is missing is lost.';
  }

  try {
    await withFile(files, path, size === 0 ? 'w+' : 'r+', async (file) => {
      for (const at of breaks) await writeAll(file, Buffer.from('\n'), at);
      for (const region of regions) {
        const text = textFor(region, headers) ?? shortest(region, headers);
        await writeAll(file, Buffer.from(encodeLine(text)), region.start);
      }
      await file.sync();
    });
  } catch (cause) {
    throw storageError(cause, path);
  }
}

const lost = JSON.stringify({ lost: true });

/** A line as long as the region, without what follows its JSON; undefined where none is as short. */
function textFor({ start, end }: Region, headers: readonly object[]): string | undefined {
  const texts = start === 0 ? headers.map((header) => JSON.stringify(header)) : [lost];
  const room = end - start - lineOverhead;
  const text = texts.find((each) => Buffer.byteLength(each) <= room);
  return text && `${text.slice(0, -1)}${' '.repeat(room - Buffer.byteLength(text))}}`;
}

/** At the end of a file there is room. */
function shortest({ start }: Region, headers: readonly object[]): string {
  return start === 0 ? JSON.stringify(headers[0]) : lost;
}

async function sizeOf(path: string): Promise<number> {
  return (await files.stat(path).catch(() => undefined))?.size ?? 0;
}
