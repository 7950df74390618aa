import type { Act, Closed, Entry, Facts } from '#validators/audit';
import { removeFile, withFile, writeAll } from '../../base/files/durable-write.js';
import type { Report } from '../../storage/json/check/data-checker.js';
import { valueLine } from '../../storage/json/lines/lines.js';
import { type LogFiles, readHeader } from '../../storage/json/log/log-reader.js';
import { openSegmentedLog } from '../../storage/json/log/segmented-log.js';
import { apply, closedPath, factsOf, noSpan, readLaneState } from './lane-files.js';

export interface LaneOptions {
  readonly log: LogFiles;
  /** Called for damage. It is not repaired. */
  readonly report: Report;
  /** Called if a new segment could not be started. Writing continues in the previous one. */
  onBackgroundFailure(error: unknown): void;
  /** Size after which a new segment is started, in bytes; 4 MiB by default. */
  readonly segmentLength?: number | undefined;
}

/**
 * Size after which a new segment of the audit log is started, in bytes. Readers, and a start after a crash, read whole
 * segments.
 */
const usualSegmentLength = 4 * 1024 * 1024;

/** A lane to which only this process writes. */
export type Lane = Awaited<ReturnType<typeof openLane>>;

/** Opens a lane for appending, or creates one in an empty folder. */
export async function openLane(options: LaneOptions) {
  const { log: files, report, onBackgroundFailure } = options;
  const { segmentLength = usualSegmentLength } = options;
  const state = await readLaneState(files, report);
  let { first } = state.content;
  // Opening the log syncs the folder, so the file is removed from the disk before anything is written.
  await removeFile(files.files, closedPath(files));
  const log = await openSegmentedLog({ ...files, lastId: () => 0 }, state.content);
  const open = new Map(state.open);
  /** Times of the first and last line in the current segment. */
  let span = log.segment === state.content.last ? state.span : noSpan;
  /** Size of the segment's header in bytes, which is not included in its length. */
  let lengthAtBegin = 0;
  let rotating: Promise<void> | undefined;

  async function rotate(): Promise<void> {
    await log.rotate(async () => ({ open: [...open.values()], before: span }) satisfies Facts);
    span = noSpan;
    lengthAtBegin = log.segmentSize;
  }

  function beginSegment(): Promise<void> {
    rotating ??= rotate().finally(() => {
      rotating = undefined;
    });
    return rotating;
  }

  return {
    /** Pending actions, by ID. */
    open: open as ReadonlyMap<string, Act>,
    /** Writes an entry. It is on disk when the promise resolves. */
    async append(entry: Entry): Promise<void> {
      await log.append(JSON.stringify(entry));
      span = apply(entry, open, span);
      if (log.segmentSize - lengthAtBegin < segmentLength || rotating) return;
      beginSegment().catch(onBackgroundFailure);
    },
    /** Removes the segments in which all lines are from before a time. */
    async removeBefore(time: number): Promise<void> {
      if (span.to !== null && span.to < time) await beginSegment();
      let before = first;
      while (before < log.segment) {
        const facts = factsOf(await readHeader(files, before + 1));
        // A segment with unknown times is kept.
        if (!facts || (facts.before.to !== null && facts.before.to >= time)) break;
        before += 1;
      }
      await log.drop(before);
      first = before;
    },
    /** Closes a lane that another process has taken over. */
    abandon: log.close,
    async close(): Promise<void> {
      await rotating?.catch(() => {});
      await log.close();
      if (open.size > 0) return;
      const closed: Closed = { first, segment: log.segment, length: log.segmentSize, span };
      // Not synced, because the end of the log is read if the file is lost or torn.
      await withFile(files.files, closedPath(files), 'w', (file) =>
        writeAll(file, Buffer.from(valueLine(closed)), 0),
      ).catch(onBackgroundFailure);
    },
  };
}
