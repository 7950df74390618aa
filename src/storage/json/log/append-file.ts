import { AppError } from '../../../base/errors.js';
import { writeAll } from '../../../base/files/durable-write.js';
import type { OpenFile } from '../../../base/files/file-layer.js';
import { storageError } from '../../../base/files/storage-errors.js';
import { encodeLines } from '../lines/lines.js';
import { togetherMark } from './log-reader.js';

interface AppendFileOptions {
  readonly file: OpenFile;
  readonly path: string;
  /** Size of the file in bytes, all of which are on disk. */
  readonly size: number;
  /** Awaited after lines have reached the disk, before their promises resolve. Must not reject. */
  onDurable(size: number): Promise<void>;
}

interface QueuedLine {
  readonly json: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Maximum size of the lines that wait for the disk, in characters. Further lines are rejected. */
const maxQueue = 64 * 1024 * 1024;

/** Returns a writer that appends lines to a file. Lines that arrive together are written together. */
export function createAppendFile(options: AppendFileOptions) {
  const { file, path, onDurable } = options;
  let { size } = options;
  let queue: QueuedLine[] = [];
  let queuedLength = 0;
  /** True while a failed write may have left bytes after `size`. */
  let unclean = false;
  let running: Promise<void> | undefined;

  async function cutBack(): Promise<void> {
    unclean = true;
    await file.truncate(size);
    await file.datasync();
    unclean = false;
  }

  async function writeBatch(batch: readonly QueuedLine[]): Promise<void> {
    const jsons = batch.map(({ json }) => json);
    const bytes = encodeLines(jsons, togetherMark);
    try {
      if (unclean) await cutBack();
      await writeAll(file, bytes, size);
      await file.datasync();
    } catch (cause) {
      // If this fails too, the next batch retries it first, because `unclean` is set.
      await cutBack().catch(() => {});
      throw storageError(cause, path);
    }
    size += bytes.length;
    await onDurable(size);
  }

  async function run(): Promise<void> {
    // Waiting for one turn of the event loop combines the lines of requests that were read together.
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

  return {
    /** Number of bytes on disk. */
    get size() {
      return size;
    },
    /**
     * Appends a line (JSON without line breaks), which is on disk when the promise resolves. Lines that arrive together
     * share one write and one fsync. Promises resolve in the order of the calls. If the disk fails, rejects with
     * `storage_unavailable`, and the file contains no part of the line.
     */
    append(json: string): Promise<void> {
      if (queuedLength > maxQueue) {
        return Promise.reject(
          new AppError('storage_unavailable', 'The disk is too slow. Try again later.', {
            headers: { 'Retry-After': '5' },
          }),
        );
      }
      queuedLength += json.length;
      return new Promise((resolve, reject) => {
        queue.push({ json, resolve, reject });
        running ??= run();
      });
    },
    /** Waits for pending writes. The file then ends with the last acknowledged line. */
    async drain(): Promise<void> {
      await running;
      try {
        if (unclean) await cutBack();
      } catch (cause) {
        throw storageError(cause, path);
      }
    },
    close: () => file.close(),
  };
}
