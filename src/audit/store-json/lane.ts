import type { Act, Closed, Entry, Facts } from '#validators/audit';
import { removeFile, withFile, writeAll } from '../../base/files/durable-write.js';
import type { Report } from '../../storage/json/check/data-checker.js';
import { valueLine } from '../../storage/json/lines/lines.js';
import { type LogFiles, readHeader } from '../../storage/json/log/log-reader.js';
import { openSegmentedLog } from '../../storage/json/log/segmented-log.js';
import { apply, closedPath, factsOf, noSpan, readLaneState } from './lane-files.js';

export interface LaneOptions {
  readonly log: LogFiles;
  /** Told of damage, which is left where it is. */
  readonly report: Report;
  /** Called where a new segment could not be begun; the one before it is written to meanwhile. */
  onBackgroundFailure(error: unknown): void;
  /** Bytes after which a new segment is begun; 4 MiB by default. */
  readonly segmentLength?: number | undefined;
}

/** Bytes of a segment of the audit, which is read as a whole at a start after a crash, and by readers of the audit. */
const usualSegmentLength = 4 * 1024 * 1024;

/** A lane that is written to by this process alone. */
export type Lane = Awaited<ReturnType<typeof openLane>>;

/** Opens a lane behind what is in it, or begins one in a folder without any. */
export async function openLane(options: LaneOptions) {
  const { log: files, report, onBackgroundFailure } = options;
  const { segmentLength = usualSegmentLength } = options;
  const state = await readLaneState(files, report);
  let { first } = state.content;
  // Its name is off the disk when the log is open, before anything is written.
  await removeFile(files.files, closedPath(files));
  const log = await openSegmentedLog({ ...files, lastId: () => 0 }, state.content);
  const open = new Map(state.open);
  /** Of the lines in the segment that is written to. */
  let span = log.segment === state.content.last ? state.span : noSpan;
  /** What was under way when the segment was begun does not count. */
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
    /** Acts that were begun and not ended. */
    open: open as ReadonlyMap<string, Act>,
    /** Writes an entry; on disk when it resolves. */
    async append(entry: Entry): Promise<void> {
      await log.append(JSON.stringify(entry));
      span = apply(entry, open, span);
      if (log.segmentSize - lengthAtBegin < segmentLength || rotating) return;
      beginSegment().catch(onBackgroundFailure);
    },
    /** Removes the segments whose lines are all from before a time. */
    async removeBefore(time: number): Promise<void> {
      if (span.to !== null && span.to < time) await beginSegment();
      let before = first;
      while (before < log.segment) {
        const facts = factsOf(await readHeader(files, before + 1));
        // Where it is not known what is in a segment, it is kept.
        if (!facts || (facts.before.to !== null && facts.before.to >= time)) break;
        before += 1;
      }
      await log.drop(before);
      first = before;
    },
    /** Lets go of a lane that another process has taken over. */
    abandon: log.close,
    async close(): Promise<void> {
      await rotating?.catch(() => {});
      await log.close();
      if (open.size > 0) return;
      const closed: Closed = { first, segment: log.segment, length: log.segmentSize, span };
      // Not synced: where it is lost or torn, the end of the log is read.
      await withFile(files.files, closedPath(files), 'w', (file) =>
        writeAll(file, Buffer.from(valueLine(closed)), 0),
      ).catch(onBackgroundFailure);
    },
  };
}
