import { join } from 'node:path';
import { AppError } from '../../../base/errors.js';
import { readTextFile, replaceFile } from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { damaged } from '../../../base/files/storage-errors.js';
import { createLineIndex } from '../../../json/lines.js';
import { findSyntaxFault } from '../../../json/syntax-fault.js';
import { repairAdvice } from '../check/data-checker.js';

/** The version of a data folder's layout. Formats 1 to 4 were never released. */
export const dataFormat = 5;

/** Marks a data folder as having this layout. */
export async function writeDataFormat(
  folder: string,
  files: FileLayer = systemFiles,
): Promise<void> {
  await replaceFile(formatFile(folder), `{"format":${dataFormat}}\n`, { files });
}

export function formatFile(folder: string): string {
  return join(folder, 'format.json');
}

/**
 * Returns whether a data folder has the mark of this layout. Throws `configuration` if it has that of another layout,
 * and `data_damaged` if the mark is unreadable.
 */
export async function hasDataFormat(
  folder: string,
  files: FileLayer = systemFiles,
): Promise<boolean> {
  const path = formatFile(folder);
  const text = await readTextFile(files, path);
  if (text === undefined) return false;
  const format = (parseJsonText(text, path) as { format?: unknown } | null)?.format;
  if (format === dataFormat) return true;
  const message = `The data in ${folder} has format ${String(format)}; this msgsite reads only format ${dataFormat}.`;
  if (!Number.isSafeInteger(format)) {
    throw new AppError('data_damaged', `${path}: ${message}`, { hint: repairAdvice });
  }
  throw new AppError('configuration', message, {
    hint: 'Use the msgsite that wrote it, or choose another folder with --data.',
  });
}

/** Parses a JSON file's text; a fault is `data_damaged` naming file, line and column. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = createLineIndex(text).position(findSyntaxFault(text, String(cause)));
    throw damaged(path, `line ${line}, column ${column}`, 'this is not valid JSON', cause);
  }
}
