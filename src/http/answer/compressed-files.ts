import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Coding } from '../request/accept-encoding.js';
import { leastSize } from './compression.js';
import { withoutComments } from './script-comments.js';

/** A file as it stands: its path and what tells its versions apart. */
export interface FileVersion {
  readonly path: string;
  readonly size: number;
  readonly tag: string;
}

/** Bytes of a file that is compressed; a larger one is sent as it is, as it would have to be in memory as a whole. */
const largestFile = 2 * 1024 * 1024;
/** Bytes of all compressed files together; those unused for longest are dropped first. */
const mostBytes = 8 * 1024 * 1024;

/** Texts, by the ends of their names; pictures and fonts are compressed in themselves. */
const textNames = /\.(?:css|html|js|json|map|md|mjs|svg|txt|webmanifest|xml)$/i;

/** Whether a file is sent compressed to those who accept it. */
export function isCompressible({ path, size }: Pick<FileVersion, 'path' | 'size'>): boolean {
  return textNames.test(path) && size >= leastSize && size <= largestFile;
}

/** Whether such a file is sent as something else than it is even to those who accept no compression. */
export function isScript(path: string): boolean {
  return /\.m?js$/i.test(path);
}

/**
 * Files as they are sent: scripts without their comments, and compressed. Made once a version and coding, and kept in
 * memory within bounds; who asks for one that is being made waits for the same work. Errors of reading are the file
 * system's.
 */
export function createCompressedFiles(): (file: FileVersion, coding: Coding) => Promise<Buffer> {
  const made = new LRUCache<string, { tag: string; bytes: Buffer }>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  const underWay = new Map<string, Promise<Buffer>>();

  const make = async (key: string, { path, tag }: FileVersion, coding: Coding) => {
    const content = await readFile(path);
    const sent = isScript(path) ? Buffer.from(withoutComments(content.toString())) : content;
    const bytes = await code[coding](sent);
    made.set(key, { tag, bytes });
    return bytes;
  };

  return function compressedFile(file, coding) {
    const key = `${coding} ${file.path}`;
    const known = made.get(key);
    if (known?.tag === file.tag) return Promise.resolve(known.bytes);
    const keyOfWork = `${key} ${file.tag}`;
    const current = underWay.get(keyOfWork);
    if (current) return current;
    const work = make(key, file, coding).finally(() => underWay.delete(keyOfWork));
    underWay.set(keyOfWork, work);
    return work;
  };
}

const brotli = promisify(brotliCompress);
const code: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  identity: async (bytes) => bytes,
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
        [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};
