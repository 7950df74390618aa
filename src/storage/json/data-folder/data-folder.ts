import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../../base/errors.js';
import {
  readBytes,
  readTextFile,
  removeFile,
  replaceFile,
  syncFolder,
  withFile,
  writeAll,
} from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { damaged, storageError } from '../../../base/files/storage-errors.js';
import { createLineIndex } from '../../../json/lines.js';
import { findSyntaxFault } from '../../../json/syntax-fault.js';
import type { MarkedStorage, TransferMark } from '../../transfer-mark.js';
import {
  damagedLine,
  faultAt,
  noteBreak,
  type Report,
  repairAdvice,
} from '../check/data-checker.js';
import { bytesOf, encodeLine, readFileLines, readValueLine, valueLine } from '../lines/lines.js';

/** The version of a data folder's layout. Formats 1 to 5 were never released. */
export const dataFormat = 6;

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
 * Returns whether a data folder is marked as having this layout. Throws `configuration` if it has a different layout,
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
  const message = `The data in ${folder} has format ${String(format)}. This version reads only format ${dataFormat}.`;
  if (!Number.isSafeInteger(format)) {
    throw new AppError('data_damaged', `${path}: ${message}`, { hint: repairAdvice });
  }
  throw new AppError('configuration', message, {
    hint: 'Use the version of msgsite that wrote it, or choose another folder with --data.',
  });
}

/** Size of the probe file, in bytes. A few kilobytes would fit even on many full disks. */
const probeSize = 64 * 1024;

/** Name of the probe file. It never changes, so crashes leave at most one file, which nothing reads. */
const probeFile = 'ready.tmp';

/**
 * Returns a function that checks a data folder's disk by writing to it. It rejects with `storage_unavailable` if that
 * fails. Only one call may run at a time.
 */
export function createDiskProbe(
  folder: string,
  files: FileLayer = systemFiles,
): () => Promise<void> {
  const path = join(folder, probeFile);
  // Random bytes, because file systems that compress data use almost no space for zeros.
  const bytes = randomBytes(probeSize);
  return async function probeDisk() {
    try {
      await withFile(files, path, 'w', async (file) => {
        await writeAll(file, bytes, 0);
        await file.datasync();
      });
    } catch (cause) {
      await files.unlink(path).catch(() => {});
      throw storageError(cause, path);
    }
    await removeFile(files, path);
  };
}

export function markFile(folder: string): string {
  return join(folder, 'transfer.json');
}

/** Returns the mark of a data folder, if there is one. */
export async function readFolderMark(folder: string): Promise<TransferMark | undefined> {
  const path = markFile(folder);
  const bytes = await readBytes(systemFiles, path);
  if (bytes === undefined) return undefined;
  const mark = readValueLine(bytes) as Partial<TransferMark> | undefined;
  if (mark?.state === 'importing' || mark?.state === 'moved') {
    const { state, place, since } = mark;
    return { state, place: String(place), since: String(since) };
  }
  throw damaged(
    path,
    'line 1',
    'its checksum does not match, or state is neither importing nor moved',
  );
}

/** Marks a folder. The mark is on disk when the promise resolves. */
export async function writeFolderMark(folder: string, mark: TransferMark): Promise<void> {
  await replaceFile(markFile(folder), valueLine(mark));
}

export async function removeFolderMark(folder: string): Promise<void> {
  await removeFile(systemFiles, markFile(folder));
  await syncFolder(systemFiles, folder);
}

/** Returns the texts about a data folder for error messages. */
export function markedFolder(folder: string): MarkedStorage {
  return {
    name: folder,
    unmark: `remove ${markFile(folder)}`,
    discard: `remove everything in ${folder} except secrets.json`,
  };
}

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Reads a manifest, which exists once all other files of its store have been created. Returns undefined if it does not
 * exist, and an empty object if it is damaged.
 */
export async function readManifest(
  path: string,
  files: FileLayer,
  report: Report,
): Promise<Manifest | undefined> {
  for await (const [line] of readFileLines(files, path)) {
    if (!line) continue;
    noteBreak(line, path, report);
    if (line.text !== undefined) return JSON.parse(line.text) as Manifest;
    report(faultAt({ file: path, line: 1 }, damagedLine), bytesOf(line));
    return {};
  }
  return undefined;
}

/** Writes a manifest. All other files of the store must already be on disk. */
export function writeManifest(path: string, content: Manifest, files: FileLayer): Promise<void> {
  return replaceFile(path, encodeLine(JSON.stringify(content)), { files });
}

/** Parses the text of a JSON file. Throws `data_damaged` with file, line and column. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = createLineIndex(text).position(findSyntaxFault(text, String(cause)));
    throw damaged(path, `line ${line}, column ${column}`, 'this is not valid JSON', cause);
  }
}
