import { AppError } from '../../base/errors.js';
import { removeFile, syncFolder, writeAll } from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { type AppendFile, createAppendFile } from './append-file.js';
import { encodeLine } from './lines.js';
import {
  type DurableMark,
  type LogContent,
  type LogFiles,
  markPath,
  segmentPath,
} from './log-reader.js';

/** A log that is open for appending; see log-reader.ts for what its files hold. */
export interface SegmentedLog {
  /** Bytes in all segments that count. */
  readonly size: number;
  /**
   * Appends a line (JSON without line breaks), on disk when the promise resolves; what is appended after
   * it comes after it. `storage_unavailable` where the disk fails; none of the line is in the log then.
   */
  append(json: string): Promise<void>;
  /**
   * Begins a new segment and gives its number. What the ones before it say is then complete, and every
   * append to them has been acknowledged when `facts` is asked for what else the header shall hold.
   */
  rotate(facts?: () => Promise<object>): Promise<number>;
  /** Forgets the segments before this one, whose content must be safe elsewhere, and removes them. */
  drop(before: number): Promise<void>;
  /** Waits for what is under way; appends after it fail. */
  close(): Promise<void>;
}

export interface SegmentedLogOptions extends LogFiles {
  /** The highest id given so far, which outlives the lines. */
  lastId(): number;
}

/** Opens a log behind what `readLog` found: removes what is of no use, or begins the first segment. */
export async function openSegmentedLog(
  log: SegmentedLogOptions,
  content: LogContent,
): Promise<SegmentedLog> {
  const { files, folder } = log;
  for (const number of content.useless) await removeFile(files, segmentPath(log, number));
  const last = content.segments.at(-1);
  const isThere = last?.number === content.last && last.header !== undefined;
  const number = isThere ? content.last : Math.max(content.last + 1, content.first);
  const state = { number, first: content.first };
  const file = isThere
    ? await reopen(files, segmentPath(log, number), last.length)
    : await begin(log, { ...state, previous: last?.length ?? 0 });
  const mark = await openMark(log, content.mark).catch(async (error) => {
    await file.handle.close();
    throw error;
  });
  try {
    const { first } = state;
    const now = { first, segment: number, length: file.size, lastId: log.lastId() };
    await mark.write(now, 'durably');
    await syncFolder(files, folder);
  } catch (cause) {
    await Promise.allSettled([file.handle.close(), mark.close()]);
    throw storageError(cause, folder);
  }
  const finished = content.segments.filter((each) => each.number < number);
  const finishedBytes = finished.reduce((sum, { length }) => sum + length, 0);
  return createLog(log, state, file, mark, finishedBytes);
}

interface Opened {
  readonly handle: OpenFile;
  readonly size: number;
}

/** Opens the last segment and cuts off what is behind its last line that counts. */
async function reopen(files: FileLayer, path: string, length: number): Promise<Opened> {
  return opened(files, path, 'r+', async (handle) => {
    if ((await handle.stat()).size > length) await handle.truncate(length);
    // What a killed process wrote last counts, so it has to be on disk.
    await handle.datasync();
    return length;
  });
}

interface Beginning {
  readonly number: number;
  readonly first: number;
  readonly previous: number;
}

/** Begins a segment: its header, file and name are on disk. */
async function begin(
  log: SegmentedLogOptions,
  { number, first, previous }: Beginning,
  facts: object = {},
): Promise<Opened> {
  const path = segmentPath(log, number);
  const lastId = log.lastId();
  const header = { log: log.name, segment: number, first, previous, lastId, ...facts };
  try {
    return await opened(log.files, path, 'w+', async (handle) => {
      const bytes = Buffer.from(encodeLine(JSON.stringify(header)));
      await writeAll(handle, bytes, 0);
      await handle.sync();
      await syncFolder(log.files, log.folder);
      return bytes.length;
    });
  } catch (error) {
    // Where this fails as well, reading finds that it was never used.
    await log.files.unlink(path).catch(() => {});
    throw error;
  }
}

async function opened(
  files: FileLayer,
  path: string,
  flags: string,
  prepare: (handle: OpenFile) => Promise<number>,
): Promise<Opened> {
  try {
    const handle = await files.open(path, flags);
    try {
      return { handle, size: await prepare(handle) };
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Bytes of the durable mark's JSON: it always has the same length, so that it is overwritten in place. */
const markLength = 128;

type Mark = Awaited<ReturnType<typeof openMark>>;

/** The file that keeps how far a log is on disk. */
async function openMark(log: SegmentedLogOptions, known: DurableMark | undefined) {
  const path = markPath(log);
  const handle = await log.files
    .open(path, 'r+')
    .catch(() => log.files.open(path, 'w+'))
    .catch((cause) => {
      throw storageError(cause, path);
    });
  /** What the disk is known to hold. */
  let durable = known && textOf(known);

  function textOf({ first, segment, length, lastId }: DurableMark): string {
    return JSON.stringify({ first, segment, length, lastId }).padEnd(markLength);
  }

  return {
    async write(mark: DurableMark, how?: 'durably'): Promise<void> {
      const text = textOf(mark);
      if (text === durable) return;
      durable = undefined;
      await writeAll(handle, Buffer.from(encodeLine(text)), 0);
      if (!how) return;
      await handle.datasync();
      durable = text;
    },
    close: () => handle.close(),
  };
}

function createLog(
  log: SegmentedLogOptions,
  { number, first }: { number: number; first: number },
  firstFile: Opened,
  mark: Mark,
  initialFinishedBytes: number,
): SegmentedLog {
  let closed = false;
  let file = firstFile;
  let segment = appendTo(file);
  /** Bytes of the segments before the last one. */
  let finishedBytes = initialFinishedBytes;
  let switching: Promise<void> | undefined;

  function appendTo({ handle, size }: Opened): AppendFile {
    const path = segmentPath(log, number);
    // The lines are safe without it; it only tells what is damage afterwards.
    const onDurable = (length: number) => note(length).catch(() => {});
    return createAppendFile({ file: handle, path, size, onDurable });
  }

  function note(length: number, how?: 'durably'): Promise<void> {
    return mark.write({ first, segment: number, length, lastId: log.lastId() }, how);
  }

  async function change(facts: (() => Promise<object>) | undefined): Promise<void> {
    // Appends wait meanwhile, so that the new segment's header knows all that is before it.
    await segment.drain();
    // Whoever waited for the last of them is told first.
    await new Promise((resolve) => setImmediate(resolve));
    const previous = segment.size;
    const after = await begin(log, { number: number + 1, first, previous }, await facts?.());
    const before = file;
    number += 1;
    finishedBytes += previous;
    file = after;
    segment = appendTo(after);
    await note(after.size).catch(() => {});
    await before.handle.close();
  }

  async function append(json: string): Promise<void> {
    // A change that failed leaves the old segment in use.
    while (switching) await switching.catch(() => {});
    if (closed) throw new AppError('shutting_down', 'The storage is closed.');
    await segment.append(json);
  }

  return {
    get size() {
      return finishedBytes + segment.size;
    },
    append,
    async rotate(facts) {
      switching = change(facts).finally(() => {
        switching = undefined;
      });
      await switching;
      return number;
    },
    async drop(before) {
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
    async close() {
      if (closed) return;
      closed = true;
      await switching?.catch(() => {});
      try {
        await segment.drain();
        await note(segment.size, 'durably').catch(() => {});
      } finally {
        await Promise.all([file.handle.close(), mark.close()]);
      }
    },
  };
}
