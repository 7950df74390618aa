import { dirname } from 'node:path';
import { AppError } from '../../base/errors.js';
import { syncFolder, writeAll } from '../../base/files/durable-write.js';
import { type FileLayer, type OpenFile, systemFiles } from '../../base/files/file-layer.js';
import { damaged, storageError } from '../../base/files/storage-errors.js';
import { type Line, readLines } from './line-reader.js';

export interface AppendLogOptions {
  readonly path: string;
  readonly files?: FileLayer;
  /** Called at opening for every line's value, in order. */
  onValue?(value: unknown): void;
}

/** An append-only file of JSON lines. */
export interface AppendLog {
  readonly path: string;
  /** Bytes that are safely in the file. */
  readonly size: number;
  /**
   * Appends a line (JSON without line breaks). It is on disk when the promise resolves; lines that
   * arrive together share one write and one fsync. Promises resolve in the order of the calls. When
   * the disk fails, `storage_unavailable`, and none of the line is in the file.
   */
  append(line: string): Promise<void>;
  /** Waits for what is under way; then the file ends with the last line that was acknowledged. */
  drain(): Promise<void>;
  /** Waits for what is under way and closes the file; appends after it fail. */
  close(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Bytes that may wait for the disk; more means that it has stopped, and callers should know. */
const longestQueue = 64 * 1024 * 1024;

/**
 * Opens a log or creates it. A torn last line (a crash while it was written; nobody was told that it
 * was stored) is cut off. Any other line that is not JSON is `data_damaged`, naming file and line.
 */
export async function openAppendLog(options: AppendLogOptions): Promise<AppendLog> {
  const { path, files = systemFiles, onValue = () => {} } = options;
  const handle = await openOrCreate(files, path);
  try {
    const size = await recover(handle, path, onValue);
    await syncFolder(files, dirname(path));
    return createLog(handle, path, size);
  } catch (cause) {
    await handle.close().catch(() => {});
    throw storageError(cause, path);
  }
}

async function openOrCreate(files: FileLayer, path: string): Promise<OpenFile> {
  try {
    // Appending mode ignores positions on Linux; it only serves to create the file.
    await (await files.open(path, 'a')).close();
    return await files.open(path, 'r+');
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Reads all lines and cuts off a torn tail; gives the length of what is good. */
async function recover(
  handle: OpenFile,
  path: string,
  onValue: (value: unknown) => void,
): Promise<number> {
  const { size } = await handle.stat();
  let good = 0;
  for await (const line of readLines(handle)) {
    const value = parseLine(line, path, line.end === size);
    if (value === undefined) break;
    onValue(value);
    good = line.end;
  }
  if (good < size) {
    await handle.truncate(good);
    await handle.datasync();
  }
  return good;
}

/** The line's value; undefined for a last line with holes, as a power cut leaves unwritten blocks. */
function parseLine({ text, number }: Line, path: string, isLast: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isLast && text.includes('\0')) return undefined;
    throw damaged(path, `line ${number}`, 'this is not valid JSON', cause);
  }
}

function createLog(handle: OpenFile, path: string, initialSize: number): AppendLog {
  let size = initialSize;
  let queue: Waiting[] = [];
  let queuedLength = 0;
  let closed = false;
  /** True while the file may hold bytes behind `size` that a failed write left there. */
  let unclean = false;
  let running: Promise<void> | undefined;

  async function cutBack(): Promise<void> {
    unclean = true;
    await handle.truncate(size);
    await handle.datasync();
    unclean = false;
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.from(`${batch.map(({ line }) => line).join('\n')}\n`);
    try {
      if (unclean) await cutBack();
      await writeAll(handle, bytes, size);
      await handle.datasync();
    } catch (cause) {
      // Where even this fails, `unclean` makes the next batch try it first.
      await cutBack().catch(() => {});
      throw storageError(cause, path);
    }
    size += bytes.length;
  }

  async function run(): Promise<void> {
    // One turn of the event loop, so that requests that were read together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      queuedLength = 0;
      try {
        await writeBatch(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  }

  async function drain(): Promise<void> {
    await running;
    try {
      if (unclean) await cutBack();
    } catch (cause) {
      throw storageError(cause, path);
    }
  }

  return {
    path,
    get size() {
      return size;
    },
    append(line) {
      if (closed) return Promise.reject(new AppError('shutting_down', 'The storage is closed.'));
      if (queuedLength > longestQueue) {
        return Promise.reject(
          new AppError('storage_unavailable', 'The disk does not keep up with what is written.', {
            headers: { 'Retry-After': '5' },
          }),
        );
      }
      queuedLength += line.length;
      return new Promise((resolve, reject) => {
        queue.push({ line, resolve, reject });
        running ??= run();
      });
    },
    drain,
    async close() {
      if (closed) return;
      closed = true;
      try {
        await drain();
      } finally {
        await handle.close();
      }
    },
  };
}
