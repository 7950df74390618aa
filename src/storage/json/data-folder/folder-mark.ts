import { join } from 'node:path';
import {
  readBytes,
  removeFile,
  replaceFile,
  syncFolder,
} from '../../../base/files/durable-write.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { damaged } from '../../../base/files/storage-errors.js';
import type { MarkedStorage, TransferMark } from '../../transfer-mark.js';
import { readValueLine, valueLine } from '../lines/value-line.js';

export function markFile(folder: string): string {
  return join(folder, 'transfer.json');
}

/** The mark of a data folder, where there is one. */
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
    'its checksum does not fit, or state is neither importing nor moved',
  );
}

/** Marks a folder, durably, before anything that the mark tells of happens. */
export async function writeFolderMark(folder: string, mark: TransferMark): Promise<void> {
  await replaceFile(markFile(folder), valueLine(mark));
}

export async function removeFolderMark(folder: string): Promise<void> {
  await removeFile(systemFiles, markFile(folder));
  await syncFolder(systemFiles, folder);
}

/** The words about a data folder in refusals. */
export function markedFolder(folder: string): MarkedStorage {
  return {
    name: folder,
    unmark: `remove ${markFile(folder)}`,
    discard: `remove everything in ${folder} but secrets.json`,
  };
}
