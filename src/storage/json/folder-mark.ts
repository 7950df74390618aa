import { join } from 'node:path';
import {
  readTextFile,
  removeFile,
  replaceFile,
  syncFolder,
} from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { damaged } from '../../base/files/storage-errors.js';
import { parseJsonText } from '../../json/parse-text.js';
import type { MarkedStorage, TransferMark } from '../transfer-mark.js';

const fileName = 'transfer.json';

/** The mark of a data folder, where there is one. */
export async function readFolderMark(folder: string): Promise<TransferMark | undefined> {
  const path = join(folder, fileName);
  const text = await readTextFile(systemFiles, path);
  if (text === undefined) return undefined;
  const mark = parseJsonText(text, path) as Partial<TransferMark> | null;
  if (mark?.state === 'importing' || mark?.state === 'moved') {
    const { state, place, since } = mark;
    return { state, place: String(place), since: String(since) };
  }
  throw damaged(path, 'line 1', 'state must be importing or moved');
}

/** Marks a folder, durably, before anything that the mark tells of happens. */
export async function writeFolderMark(folder: string, mark: TransferMark): Promise<void> {
  await replaceFile(join(folder, fileName), `${JSON.stringify(mark, null, 2)}\n`);
}

export async function removeFolderMark(folder: string): Promise<void> {
  await removeFile(systemFiles, join(folder, fileName));
  await syncFolder(systemFiles, folder);
}

/** The words about a data folder in refusals. */
export function markedFolder(folder: string): MarkedStorage {
  return {
    name: folder,
    unmark: `remove ${join(folder, fileName)}`,
    discard: `remove everything in ${folder} but secrets.json`,
  };
}
