import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { readTextFile, replaceFile } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { parseJsonText } from '../../json/parse-text.js';

/** Version of the layout of a data directory that this program reads and writes. */
export const dataFormat = 1;

/**
 * Checks that a data directory has a layout this program understands, marking an unmarked one with
 * ours. A newer one is refused, so that an old program does not spoil what a new one wrote.
 */
export async function checkDataFormat(
  folder: string,
  files: FileLayer = systemFiles,
): Promise<void> {
  const found = await readDataFormat(folder, files);
  if (found === undefined) {
    await replaceFile(join(folder, 'format.json'), `{ "format": ${dataFormat} }\n`, { files });
  }
}

/** The layout's version, undefined where the directory is not marked; refuses what we cannot read. */
export async function readDataFormat(
  folder: string,
  files: FileLayer = systemFiles,
): Promise<number | undefined> {
  const path = join(folder, 'format.json');
  const text = await readTextFile(files, path);
  if (text === undefined) return undefined;
  const format = (parseJsonText(text, path) as { format?: unknown } | null)?.format;
  if (format === dataFormat) return dataFormat;
  const message = `${path} says that this data has the format ${String(format)}; this msgsite understands ${dataFormat}.`;
  const isNewer = typeof format === 'number' && format > dataFormat;
  if (!isNewer) throw new AppError('data_damaged', message, { hint: 'Restore it from a backup.' });
  throw new AppError('configuration', message, {
    hint: 'Use the newer msgsite that wrote it, or choose another directory with --data.',
  });
}
