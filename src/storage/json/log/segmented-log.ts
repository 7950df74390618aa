import { AppError } from '../../../base/errors.js';
import { removeFile, syncFolder, writeAll } from '../../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../../base/files/file-layer.js';
import { storageError } from '../../../base/files/storage-errors.js';
import { closeAll, closeOnFailure } from '../close-parts.js';
import { encodeLine, encodeLines } from '../lines/lines.js';
import { createAppendFile } from './append-file.js';
import {
  type DurableMark,
  type LogContent,
  type LogFiles,
  markPath,
  type SegmentHeader,
  segmentPath,
} from './log-reader.js';

export interface SegmentedLogOptions extends LogFiles {
  /** The highest id given so far, which outlives the lines. */
  lastId(): number;
}

/** A log that is open for appending; see log-reader.ts for what its files hold. */
export type SegmentedLog = ReturnType<typeof createLog>;

/** Opens a log behind what `readLog` found: removes what is of no use, or begins the first segment. */
export async function openSegmentedLog(
  log: SegmentedLogOptions,
  content: LogContent,
): Promise<SegmentedLog> {
  const { files, folder } = log;
  const { first, segments } = content;
  for (const number of content.useless) await removeFile(files, segmentPath(log, number));
  const last = segments.at(-1);
  const isThere = last?.number === content.last && last.header !== undefined;
  const number = isThere ? content.last : Math.max(content.last + 1, first);
  const finished = segments.filter((each) => each.number < number);
  const finishedBytes = finished.reduce((sum, { length }) => sum + length, 0);
  return closeOnFailure(async (keep) => {
    const opened = isThere
      ? await reopen(files, segmentPath(log, number), last.length)
      : await begin(log, { segment: number, first, previous: last?.length ?? 0 });
    keep(opened.file);
    const mark = await keep(openMark(log, content.mark));
    await mark.write({ first, segment: number, length: opened.size }, 'durably');
    await syncFolder(files, folder);
    return createLog(log, { number, first, finishedBytes }, opened, mark);
  });
}

interface Opened {
  readonly path: string;
  readonly file: OpenFile;
  /** Bytes that count, all of them on disk. */
  readonly size: number;
}

/** Opens the last segment and cuts off what is behind its last line that counts. */
function reopen(files: FileLayer, path: string, size: number): Promise<Opened> {
  return open(files, path, 'r+', async (file) => {
    if ((await file.stat()).size > size) await file.truncate(size);
    // What a killed process wrote last counts, so it has to be on disk.
    await file.datasync();
    return size;
  });
}

/** Begins a segment: its header, file and name are on disk. */
async function begin(
  log: SegmentedLogOptions,
  header: Pick<SegmentHeader, 'segment' | 'first' | 'previous'>,
  facts: object = {},
): Promise<Opened> {
  const path = segmentPath(log, header.segment);
  const line = { log: log.name, ...header, lastId: log.lastId(), ...facts };
  const bytes = Buffer.from(encodeLine(JSON.stringify(line)));
  try {
    return await open(log.files, path, 'w+', async (file) => {
      await writeAll(file, bytes, 0);
      await file.sync();
      await syncFolder(log.files, log.folder);
      return bytes.length;
    });
  } catch (error) {
    // Where this fails as well, reading finds that it was never used.
    await log.files.unlink(path).catch(() => {});
    throw error;
  }
}

/** `prepare` gives how many bytes count. */
async function open(
  files: FileLayer,
  path: string,
  flags: string,
  prepare: (file: OpenFile) => Promise<number>,
): Promise<Opened> {
  try {
    return await closeOnFailure(async (keep) => {
      const file = await keep(files.open(path, flags));
      return { path, file, size: await prepare(file) };
    });
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Bytes of the durable mark's JSON, which always has the same length because it is overwritten in place. */
const markLength = 128;

type Mark = Awaited<ReturnType<typeof openMark>>;

/** The file that keeps how far a log is on disk. */
async function openMark({ lastId, ...log }: SegmentedLogOptions, known: DurableMark | undefined) {
  const path = markPath(log);
  const asStorageError = (cause: unknown): never => {
    throw storageError(cause, path);
  };
  const file = await log.files
    .open(path, 'r+')
    .catch(() => log.files.open(path, 'w+'))
    .catch(asStorageError);
  /** What the disk is known to hold. */
  let durable = known && textOf(known);

  function textOf({ first, segment, length, lastId }: DurableMark): string {
    const json = JSON.stringify({ first, segment, length, lastId });
    return `${json.slice(0, -1).padEnd(markLength - 1)}}`;
  }

  return {
    async write(mark: Omit<DurableMark, 'lastId'>, how?: 'durably'): Promise<void> {
      const text = textOf({ ...mark, lastId: lastId() });
      if (text === durable) return;
      durable = undefined;
      await writeAll(file, encodeLines([text]), 0).catch(asStorageError);
      if (!how) return;
      await file.datasync().catch(asStorageError);
      durable = text;
    },
    close: () => file.close(),
  };
}

function createLog(
  log: SegmentedLogOptions,
  opened: { number: number; first: number; finishedBytes: number },
  last: Opened,
  mark: Mark,
) {
  let { number, first } = opened;
  /** Bytes of the segments before the last one. */
  let { finishedBytes } = opened;
  let segment = appendTo(last);
  let switching: Promise<void> | undefined;
  let closed = false;

  function appendTo(file: Opened) {
    // The lines are safe without it; it only tells what is damage afterwards.
    const onDurable = (length: number) => note(length).catch(() => {});
    return createAppendFile({ ...file, onDurable });
  }

  function note(length: number, how?: 'durably'): Promise<void> {
    return mark.write({ first, segment: number, length }, how);
  }

  async function change(facts: (() => Promise<object>) | undefined): Promise<void> {
    // Appends wait meanwhile, so that the new segment's header knows all that is before it.
    await segment.drain();
    // Whoever waited for the last of them is told first.
    await new Promise((resolve) => setImmediate(resolve));
    const before = segment;
    const header = { segment: number + 1, first, previous: before.size };
    const after = await begin(log, header, await facts?.());
    number += 1;
    finishedBytes += before.size;
    segment = appendTo(after);
    await note(segment.size).catch(() => {});
    await before.close();
  }

  /**
   * Appends a line (JSON without line breaks), on disk when the promise resolves; what is appended after
   * it comes after it. `storage_unavailable` where the disk fails; none of the line is in the log then.
   */
  function append(json: string): Promise<void> {
    if (switching) return appendBehind(json);
    if (!closed) return segment.append(json);
    return Promise.reject(new AppError('shutting_down', 'The storage is closed.'));
  }

  async function appendBehind(json: string): Promise<void> {
    // A change that failed leaves the old segment in use.
    while (switching) await switching.catch(() => {});
    await append(json);
  }

  return {
    /** Bytes in all segments that count. */
    get size() {
      return finishedBytes + segment.size;
    },
    /** Which segment is written to. */
    get segment() {
      return number;
    },
    /** Bytes in it. */
    get segmentSize() {
      return segment.size;
    },
    append,
    /**
     * Begins a new segment and gives its number. What the ones before it say is then complete, and every
     * append to them has been acknowledged when `facts` is asked for what else the header shall hold.
     */
    async rotate(facts?: () => Promise<object>): Promise<number> {
      switching = change(facts).finally(() => {
        switching = undefined;
      });
      await switching;
      return number;
    },
    /** Forgets the segments before this one, whose content must be safe elsewhere, and removes them. */
    async drop(before: number): Promise<void> {
      if (before <= first) return;
      await append(JSON.stringify({ dropped: before }));
      const dropped = first;
      first = before;
      finishedBytes = 0;
      for (let old = dropped; old < before; old += 1) {
        await removeFile(log.files, segmentPath(log, old));
      }
      await syncFolder(log.files, log.folder);
      await note(segment.size).catch(() => {});
    },
    /** Waits for what is under way; appends after it fail. */
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      await switching?.catch(() => {});
      try {
        await segment.drain();
        await note(segment.size, 'durably').catch(() => {});
      } finally {
        await closeAll([segment, mark]);
      }
    },
  };
}
