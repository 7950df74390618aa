import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Adapter } from 'lowdb';
import { replaceFile } from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { encodeLines, type Line, readFileLines } from './lines.js';

export interface LineFileOptions<Data> {
  /** The folder of the file must exist. */
  readonly path: string;
  readonly files?: FileLayer;
  /** Parses the lines of the file; null if there are none. May throw `data_damaged`. */
  parse(lines: AsyncIterable<readonly Line[]>): Promise<Data | null>;
  /** Returns the JSON text of each line. The data must not change until the write has finished. */
  format(data: Data): Iterable<string> | AsyncIterable<string>;
}

/**
 * Returns a lowdb adapter for a file of lines, each with a checksum. Writes run one after another. A write creates a
 * temporary file, syncs it, renames it and syncs the folder before it resolves; lowdb's own adapters leave syncing to
 * the operating system. Large documents are formatted in chunks, so that they do not block the event loop. An I/O error
 * is `storage_unavailable` and leaves the file unchanged.
 */
export function lineFile<Data>(options: LineFileOptions<Data>): Adapter<Data> {
  const { path, files = systemFiles, parse, format } = options;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: () => parse(readFileLines(files, path)),
    write(data) {
      const write = last.then(() => replaceFile(path, bytesOf(format(data)), { files }));
      last = write.catch(() => {});
      return write;
    },
  };
}

/** Number of characters that are encoded in one turn of the event loop, which takes less than a millisecond. */
const chunkLength = 64 * 1024;

async function* bytesOf(
  jsons: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Uint8Array> {
  let chunk: string[] = [];
  let length = 0;
  for await (const json of jsons) {
    chunk.push(json);
    length += json.length;
    if (length < chunkLength) continue;
    yield encodeLines(chunk);
    chunk = [];
    length = 0;
    await nextTurn();
  }
  yield encodeLines(chunk);
}
