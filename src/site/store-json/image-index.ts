import { join } from 'node:path';
import { KeptImage } from '#validators/images';
import { listFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import {
  damagedLine,
  faultAt,
  noteBreak,
  type Report,
} from '../../storage/json/check/data-checker.js';
import { lineFile } from '../../storage/json/lines/line-file.js';
import { bytesOf, type Line } from '../../storage/json/lines/lines.js';
import { imageNameOf } from './image-file.js';

/** Where the pictures of a data folder are. */
export interface ImagePlace {
  readonly folder: string;
  readonly index: string;
}

/** Each picture is a file in `media/`; `media.jsonl` says which there are, and since when they are unused. */
export function imagePlace(data: string): ImagePlace {
  return { folder: join(data, 'media'), index: join(data, 'media.jsonl') };
}

/** By the name, since when a picture is unused (milliseconds); null while it is used. */
export type ImageIndex = ReadonlyMap<string, number | null>;

/** The file that lists the pictures; what is damaged is reported and left out where `report` does not throw. */
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
        else damage('This line names no picture.', line);
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

/** The pictures whose files are there, and the files that are none. */
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
