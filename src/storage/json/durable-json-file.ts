import type { Adapter } from 'lowdb';
import { readTextFile, replaceFile } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { jsonChunks } from '../../json/chunks.js';
import { parseJsonText } from '../../json/parse-text.js';

export interface DurableJsonFileOptions<Data> {
  /** The file; its folder must exist. */
  readonly path: string;
  /** Gives the data its type, or throws `data_damaged` where the file holds something else. */
  check(data: unknown): Data;
  readonly files?: FileLayer;
}

/**
 * A lowdb adapter whose write has reached the disk, file and folder, when it resolves (lowdb's own
 * adapters leave that to the operating system): temporary file, fsync, rename, fsync of the folder.
 * Writes follow one another; a large document is turned to text in pieces, so that it stalls nobody.
 * A file that is not JSON is `data_damaged`; an I/O error is `storage_unavailable` and leaves the
 * content that was there.
 */
export function durableJsonFile<Data>(options: DurableJsonFileOptions<Data>): Adapter<Data> {
  const { path, check, files = systemFiles } = options;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async read() {
      const text = await readTextFile(files, path);
      return text === undefined ? null : check(parseJsonText(text, path));
    },
    write(data) {
      const write = last.then(() => replaceFile(path, jsonChunks(data), { files }));
      last = write.catch(() => {});
      return write;
    },
  };
}
