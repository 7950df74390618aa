import { join } from 'node:path';
import { KeptImage } from '#validators/images';
import { listFolder, readAt, withFile } from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { damaged, isMissing, storageError } from '../../base/files/storage-errors.js';
import {
  damagedLine,
  faultAt,
  noteBreak,
  type Report,
} from '../../storage/json/check/data-checker.js';
import { lineFile } from '../../storage/json/lines/line-file.js';
import { bytesOf, decodeLine, type Line, valueLine } from '../../storage/json/lines/lines.js';
import { mediaWidths, sha256Of } from '../media.js';
import type { StoredSize } from '../store.js';

/** A size in a picture's file. Its bytes follow those of the previous sizes. */
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

/** Returns the path of a picture's file. It contains all sizes, so that they are written together. */
export function imagePath(folder: string, name: string): string {
  return join(folder, `${name}${ending}`);
}

/** Returns the name of the picture in a file, or undefined for other files. */
function imageNameOf(file: string): string | undefined {
  const name = file.slice(0, -ending.length);
  return file.endsWith(ending) && /^[0-9a-f]{32}$/.test(name) ? name : undefined;
}

/**
 * Returns the content of a picture's file. A line with a checksum lists the sizes and their digests. The bytes of the
 * sizes follow.
 */
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

/** Maximum length of the first line of a picture's file, in bytes. @internal */
const maxHeaderLength = 1024;

const lineBreak = 10;

/**
 * Returns the sizes of a picture with these widths, or undefined if there is no file. Throws `data_damaged` if the
 * content of the file has changed.
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
  const start = await readAt(file, 0, maxHeaderLength);
  const end = start.indexOf(lineBreak);
  const json = end < 0 ? undefined : decodeLine(start.subarray(0, end));
  if (json === undefined) throw damaged(path, 'line 1', 'its checksum does not match');
  const header = JSON.parse(json) as ImageHeader; // The checksum shows that this program wrote it.
  if (header.name !== name) throw damaged(path, 'line 1', `it contains the picture ${header.name}`);
  const found = new Map<number, StoredSize>();
  let position = end + 1;
  for (const { width, bytes: length, sha256 } of header.sizes) {
    if (widths.includes(width)) {
      const bytes = await readAt(file, position, length);
      if (sha256Of(bytes) !== sha256) {
        throw damaged(path, `the picture of ${width} pixels`, 'its checksum does not match');
      }
      found.set(width, { bytes, sha256 });
    }
    position += length;
  }
  return found;
}

/** The paths of a data folder's pictures. */
interface ImagePlace {
  readonly folder: string;
  readonly index: string;
}

/**
 * Returns the paths of the folder `media/`, with one file for each picture, and the file `media.jsonl`, which lists the
 * pictures and their `unusedSince`.
 */
export function imagePlace(data: string): ImagePlace {
  return { folder: join(data, 'media'), index: join(data, 'media.jsonl') };
}

/** Time since which each picture is unused, by name, in milliseconds since the epoch; null while it is used. */
export type ImageIndex = ReadonlyMap<string, number | null>;

/** Returns the file that lists the pictures. Damaged lines are reported, and skipped if `report` does not throw. */
export function imageIndex({ index: path }: ImagePlace, files: FileLayer, report: Report) {
  async function parse(all: AsyncIterable<readonly Line[]>): Promise<ImageIndex | null> {
    const found = new Map<string, number | null>();
    let lines = 0;
    let isWhole = false;
    for await (const some of all) {
      for (const line of some) {
        lines += 1;
        noteBreak(line, path, report);
        const value: unknown = line.text === undefined ? undefined : JSON.parse(line.text);
        if (line.text === undefined) damage(damagedLine, line);
        else if (KeptImage(value)) found.set(value.name, value.unusedSince);
        else if (isEnd(value)) isWhole = true;
        else damage('This line does not contain a picture.', line);
      }
    }
    if (lines === 0) return null;
    if (!isWhole) damage('The end of the file is missing.');
    return found;
  }

  function damage(message: string, line?: Line): void {
    if (line) report(faultAt({ file: path, line: line.number }, message), bytesOf(line));
    else report(faultAt({ file: path }, message));
  }

  function* format(images: ImageIndex | null): Generator<string> {
    for (const [name, unusedSince] of images ?? []) yield JSON.stringify({ name, unusedSince });
    yield JSON.stringify({ end: 'images' });
  }

  return lineFile<ImageIndex | null>({ path, files, parse, format });
}

function isEnd(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'end' in value;
}

/** Returns the names of the stored pictures, and the paths of other files in the folder. */
export async function listImages(files: FileLayer, { folder }: ImagePlace) {
  const names: string[] = [];
  const others: string[] = [];
  for (const file of await listFolder(files, folder)) {
    const name = imageNameOf(file);
    if (name === undefined) others.push(join(folder, file));
    else names.push(name);
  }
  return { names, others };
}
