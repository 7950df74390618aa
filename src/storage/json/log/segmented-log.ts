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
  /** Returns the highest ID assigned so far. Headers store it because lines can be dropped. */
  lastId(): number;
}

/** A log that is open for appending; log-reader.ts describes its files. */
export type SegmentedLog = ReturnType<typeof createLog>;

/** Opens a log after `readLog` has read it. Removes unused files and creates the first segment if there is none. */
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
  /** Size of the complete lines in bytes, all of which are on disk. */
  readonly size: number;
}

/** Opens the last segment and truncates it after `size` bytes. */
function reopen(files: FileLayer, path: string, size: number): Promise<Opened> {
  return open(files, path, 'r+', async (file) => {
    if ((await file.stat()).size > size) await file.truncate(size);
    // The last lines of a killed process are valid, so they must be on disk.
    await file.datasync();
    return size;
  });
}

/** Creates a segment. Its header and name are on disk when the promise resolves. */
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
    // If this fails too, readers detect that the segment was never used.
    await log.files.unlink(path).catch(() => {});
    throw error;
  }
}

/** Opens a file. `prepare` returns the size of its complete lines in bytes. */
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

/** Length of the durable mark's JSON, in bytes. It is fixed because the file is overwritten in place. */
const markLength = 128;

type Mark = Awaited<ReturnType<typeof openMark>>;

/** Opens the file that records how much of a log is on disk. */
async function openMark({ lastId, ...log }: SegmentedLogOptions, known: DurableMark | undefined) {
  const path = markPath(log);
  const asStorageError = (cause: unknown): never => {
    throw storageError(cause, path);
  };
  const file = await log.files
    .open(path, 'r+')
    .catch(() => log.files.open(path, 'w+'))
    .catch(asStorageError);
  /** The text known to be on disk. */
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
  /** Total size of the segments before the last one, in bytes. */
  let { finishedBytes } = opened;
  let segment = appendTo(last);
  let switching: Promise<void> | undefined;
  let closed = false;

  function appendTo(file: Opened) {
    // Lines are safe without the mark, which only helps readers recognize damage.
    const onDurable = (length: number) => note(length).catch(() => {});
    return createAppendFile({ ...file, onDurable });
  }

  function note(length: number, how?: 'durably'): Promise<void> {
    return mark.write({ first, segment: number, length }, how);
  }

  async function change(facts: (() => Promise<object>) | undefined): Promise<void> {
    // New appends wait, so that the header of the new segment describes everything before it.
    await segment.drain();
    // The callers of the last appends continue first.
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
   * Appends a line (JSON without line breaks), which is on disk when the promise resolves. Lines keep the order of the
   * calls. If the disk fails, rejects with `storage_unavailable`, and the log contains no part of the line.
   */
  function append(json: string): Promise<void> {
    if (switching) return appendBehind(json);
    if (!closed) return segment.append(json);
    return Promise.reject(new AppError('shutting_down', 'The storage is closed.'));
  }

  async function appendBehind(json: string): Promise<void> {
    // After a failed change, the old segment remains in use.
    while (switching) await switching.catch(() => {});
    await append(json);
  }

  return {
    /** Total size of the segments in use, in bytes. */
    get size() {
      return finishedBytes + segment.size;
    },
    /** Number of the current segment. */
    get segment() {
      return number;
    },
    /** Size of the current segment, in bytes. */
    get segmentSize() {
      return segment.size;
    },
    append,
    /**
     * Starts a new segment and returns its number. The earlier segments are then complete. Every append to them has
     * been acknowledged when `facts` is called, which returns further members of the header.
     */
    async rotate(facts?: () => Promise<object>): Promise<number> {
      switching = change(facts).finally(() => {
        switching = undefined;
      });
      await switching;
      return number;
    },
    /** Drops and removes the segments before this one. Their content must be stored elsewhere. */
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
    /** Waits for pending writes; later appends fail. */
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
