import { AppError } from '../../../base/errors.js';
import { writeAll } from '../../../base/files/durable-write.js';
import type { OpenFile } from '../../../base/files/file-layer.js';
import { storageError } from '../../../base/files/storage-errors.js';
import { encodeLines } from '../lines/lines.js';
import { togetherMark } from './log-reader.js';

interface AppendFileOptions {
  readonly file: OpenFile;
  readonly path: string;
  /** Bytes that it holds, all of them on disk. */
  readonly size: number;
  /** Waited for after lines have come to the disk and before that is told; it never rejects. */
  onDurable(size: number): Promise<void>;
}

interface QueuedLine {
  readonly json: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Bytes that may wait for the disk; more means that it has stopped, and callers should know. */
const longestQueue = 64 * 1024 * 1024;

/** A file that lines are appended to, those that arrive together at once. */
export function createAppendFile(options: AppendFileOptions) {
  const { file, path, onDurable } = options;
  let { size } = options;
  let queue: QueuedLine[] = [];
  let queuedLength = 0;
  /** True while the file may hold bytes behind `size` that a failed write left there. */
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
      // Where even this fails, `unclean` makes the next batch try it first.
      await cutBack().catch(() => {});
      throw storageError(cause, path);
    }
    size += bytes.length;
    await onDurable(size);
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

  return {
    /** Bytes that are safely in the file. */
    get size() {
      return size;
    },
    /**
     * Appends a line (JSON without line breaks). It is on disk when the promise resolves; lines that
     * arrive together share one write and one fsync. Promises resolve in the order of the calls. When
     * the disk fails, `storage_unavailable`, and none of the line is in the file.
     */
    append(json: string): Promise<void> {
      if (queuedLength > longestQueue) {
        return Promise.reject(
          new AppError('storage_unavailable', 'The disk does not keep up with what is written.', {
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
    /** Waits for what is under way; then the file ends with the last line that was acknowledged. */
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
