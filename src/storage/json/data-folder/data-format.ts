import { join } from 'node:path';
import { AppError } from '../../../base/errors.js';
import { readTextFile, replaceFile } from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { parseJsonText } from '../../../json/parse-text.js';
import { repairAdvice } from '../check/data-checker.js';

/** Version of the layout of a data directory that this program writes; it brings over those before. */
export const dataFormat = 4;
export const oldestFormat = 1;

/** Marks a data directory as having our layout. */
export async function writeDataFormat(
  folder: string,
  files: FileLayer = systemFiles,
  format = dataFormat,
): Promise<void> {
  await replaceFile(formatFile(folder), `{"format":${format}}\n`, { files });
}

export function formatFile(folder: string): string {
  return join(folder, 'format.json');
}

/**
 * The layout's version, undefined where the directory is not marked. A newer one than ours is refused, so
 * that an old program does not spoil what a new one wrote.
 */
export async function readDataFormat(
  folder: string,
  files: FileLayer = systemFiles,
): Promise<number | undefined> {
  const path = formatFile(folder);
  const text = await readTextFile(files, path);
  if (text === undefined) return undefined;
  const format = (parseJsonText(text, path) as { format?: unknown } | null)?.format;
  const isNumber = typeof format === 'number' && Number.isInteger(format) && format >= oldestFormat;
  if (isNumber && format <= dataFormat) return format;
  const message = `${path} says that this data has the format ${String(format)}; this msgsite understands ${dataFormat}.`;
  if (!isNumber) throw new AppError('data_damaged', message, { hint: repairAdvice });
  throw new AppError('configuration', message, {
    hint: 'Use the newer msgsite that wrote it, or choose another directory with --data.',
  });
}
