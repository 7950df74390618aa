import type { ImageRecord } from '#validators/images';
import { ensureFolder, replaceFile } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import type { RecordReader, RecordWriter } from '../../base/records.js';
import {
  type DataChecker,
  faultAt,
  type Report,
  reportError,
  setFileAside,
  throwDamage,
} from '../../storage/json/check/data-checker.js';

import { mediaWidths } from '../media.js';
import { imageRecord } from '../records.js';
import type { StoredSize } from '../store.js';
import {
  imageContent,
  imageIndex,
  imagePath,
  imagePlace,
  listImages,
  readImage,
} from './image-files.js';

import { openJsonImageStore } from './image-store.js';

/**
 * Returns a reader of the pictures in a data folder, one record per size. Damaged pictures are reported, and skipped if
 * `report` does not throw.
 */
export function readJsonImages(data: string, report: Report = throwDamage): RecordReader {
  return {
    kind: 'image',
    async *read() {
      for await (const { name, sizes } of readImages(data, report)) {
        for (const width of mediaWidths) {
          const size = sizes.get(width);
          if (size) yield imageRecord({ name, width }, size);
        }
      }
    },
  };
}

/** Yields all pictures with their sizes, and reports damaged and missing ones. */
async function* readImages(data: string, report: Report) {
  const place = imagePlace(data);
  const known = await imageIndex(place, systemFiles, report).read();
  const { names } = await listImages(systemFiles, place);
  if (!known && names.length > 0) report(faultAt({ file: place.index }, 'The file is missing.'));
  for (const name of [...new Set([...names, ...(known?.keys() ?? [])])].sort()) {
    const sizes = await readWhole(place.folder, name, report);
    if (sizes) yield { name, sizes };
  }
}

async function readWhole(
  folder: string,
  name: string,
  report: Report,
): Promise<Map<number, StoredSize> | undefined> {
  const file = imagePath(folder, name);
  try {
    const sizes = await readImage(systemFiles, folder, name, mediaWidths);
    if (!sizes) report(faultAt({ file }, 'The file is missing.'));
    return sizes;
  } catch (error) {
    reportError(error, file, report);
    return undefined;
  }
}

/** Returns a writer for an empty data folder. The sizes of a picture must be consecutive records. */
export function fillJsonImages(data: string): RecordWriter {
  const place = imagePlace(data);
  return {
    kind: 'image',
    async write(records) {
      const index = new Map<string, null>();
      let sizes: Partial<Record<number, Buffer>> = {};
      let current: string | undefined;
      async function finish(): Promise<void> {
        if (current === undefined) return;
        await replaceFile(imagePath(place.folder, current), imageContent(current, sizes));
        // The server's first search determines which pictures are unused.
        index.set(current, null);
        sizes = {};
      }
      for await (const record of records) {
        const { name, width, content } = record as ImageRecord; // validated by the record kind
        if (current === undefined) await ensureFolder(systemFiles, place.folder);
        if (name !== current) await finish();
        current = name;
        sizes[width] = Buffer.from(content, 'base64');
      }
      await finish();
      if (index.size > 0) await imageIndex(place, systemFiles, throwDamage).write(index);
    },
  };
}

/** Checks all pictures by reading them, as an export does. */
export const imageChecker: DataChecker = {
  name: 'images',
  async check(data, report) {
    for await (const _ of readImages(data, report));
  },
  async repair(data, { clock, tell }) {
    const place = imagePlace(data);
    for (const name of (await listImages(systemFiles, place)).names) {
      const path = imagePath(place.folder, name);
      let message: string | undefined;
      await readWhole(place.folder, name, (finding) => {
        message = finding.message;
      });
      if (message === undefined) continue;
      const kept = await setFileAside(systemFiles, data, path);
      tell({
        file: path,
        message: `${message} It was set aside as ${kept}. Upload the picture again.`,
      });
    }
    // Opening the store sets damaged lines of the list aside and rewrites the rest.
    await openJsonImageStore({
      data,
      now: () => clock.now(),
      onDamage: ({ file, line, message }) =>
        tell({
          file,
          ...(line === undefined ? {} : { line }),
          message: `${message} Rewrote the list of pictures.`,
        }),
    });
  },
};
