import { join } from 'node:path';
import { readAt, withFile } from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { damaged, isMissing, storageError } from '../../base/files/storage-errors.js';
import { decodeLine } from '../../storage/json/lines/lines.js';
import { valueLine } from '../../storage/json/lines/value-line.js';
import { mediaWidths } from '../images/address.js';
import { sha256Of } from '../images/digest.js';
import type { StoredSize } from '../images/store.js';

/** A size in the file of a picture: its bytes follow those of the sizes before it. */
interface SizeEntry {
  readonly width: number;
  readonly bytes: number;
  readonly sha256: string;
}

interface ImageHeader {
  readonly name: string;
  readonly sizes: readonly SizeEntry[];
}

const ending = '.picture';

/** The file of a picture. It holds all sizes, so that there are all of them or none. */
export function imagePath(folder: string, name: string): string {
  return join(folder, `${name}${ending}`);
}

/** The name of the picture whose file it is; undefined for any other file. */
export function imageNameOf(file: string): string | undefined {
  const name = file.slice(0, -ending.length);
  return file.endsWith(ending) && /^[0-9a-f]{32}$/.test(name) ? name : undefined;
}

/** The content of such a file: a line with a checksum says what follows, and what its digest is. */
export function imageContent(name: string, sizes: Partial<Record<number, Buffer>>): Uint8Array[] {
  const parts = mediaWidths.flatMap((width) => {
    const bytes = sizes[width];
    return bytes === undefined ? [] : [{ width, bytes }];
  });
  const entries = parts.map(
    ({ width, bytes }): SizeEntry => ({ width, bytes: bytes.length, sha256: sha256Of(bytes) }),
  );
  const header: ImageHeader = { name, sizes: entries };
  return [Buffer.from(valueLine(header)), ...parts.map(({ bytes }) => bytes)];
}

/** Bytes of the first line of a picture's file. @internal */
const longestHeader = 1024;

const lineBreak = 10;

/**
 * Sizes of a picture, those of `widths` that there are; undefined where there is no such file. Throws
 * `data_damaged` where it is not what was written.
 */
export async function readImage(
  files: FileLayer,
  folder: string,
  name: string,
  widths: readonly number[],
): Promise<Map<number, StoredSize> | undefined> {
  const path = imagePath(folder, name);
  try {
    return await withFile(files, path, 'r', (file) => readSizes(file, path, name, widths));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError(error, path);
  }
}

async function readSizes(file: OpenFile, path: string, name: string, widths: readonly number[]) {
  const beginning = await readAt(file, 0, longestHeader);
  const end = beginning.indexOf(lineBreak);
  const json = end < 0 ? undefined : decodeLine(beginning.subarray(0, end));
  if (json === undefined) throw damaged(path, 'line 1', 'its checksum does not fit');
  const header = JSON.parse(json) as ImageHeader; // Its checksum says that it is what was written.
  if (header.name !== name) throw damaged(path, 'line 1', `it is the picture ${header.name}`);
  const found = new Map<number, StoredSize>();
  let position = end + 1;
  for (const { width, bytes: length, sha256 } of header.sizes) {
    if (widths.includes(width)) {
      const bytes = await readAt(file, position, length);
      if (sha256Of(bytes) !== sha256) {
        throw damaged(path, `the picture of ${width} pixels`, 'its checksum does not fit');
      }
      found.set(width, { bytes, sha256 });
    }
    position += length;
  }
  return found;
}
