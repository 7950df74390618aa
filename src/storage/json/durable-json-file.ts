import type { Adapter } from 'lowdb';
import { readTextFile, replaceFile } from './durable-write.js';
import { type FileLayer, systemFiles } from './file-layer.js';
import { parseJsonText } from './json-text.js';

export interface DurableJsonFileOptions<Data> {
  readonly path: string;
  /** Gives the data its type, or throws `data_damaged` where the file holds something else. */
  check(data: unknown): Data;
  readonly files?: FileLayer;
}

/**
 * A lowdb adapter whose write has reached the disk, file and folder, when it resolves (lowdb's own
 * adapters leave that to the operating system).
 */
export function durableJsonFile<Data>(options: DurableJsonFileOptions<Data>): Adapter<Data> {
  const { path, check, files = systemFiles } = options;
  return {
    async read() {
      const text = await readTextFile(files, path);
      return text === undefined ? null : check(parseJsonText(text, path));
    },
    write: (data) => replaceFile(path, `${JSON.stringify(data, null, 2)}\n`, { files }),
  };
}
