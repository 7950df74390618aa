import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder, syncFolder } from '../base/files/durable-write.js';
import { systemFiles } from '../base/files/file-layer.js';
import { storageError } from '../base/files/storage-errors.js';
import { listFolder } from '../storage/json/collection-files.js';
import { dataFormat, readDataFormat, writeDataFormat } from '../storage/json/data-format.js';
import { dataFolders, folderRecords } from './data-records.js';
import { readFormat1 } from './format-1.js';

/** Where the files of the present format are until they take the place of the older ones. */
const nextFolder = 'format-2';

/** Whether a data folder has a format, the one before ours, files of both, or ours. */
export type FormatState = 'none' | 'older' | 'both' | 'ours';

export async function formatOf(data: string): Promise<FormatState> {
  const format = await readDataFormat(data);
  if (format === undefined) return 'none';
  if (format < dataFormat) return 'older';
  return existsSync(join(data, nextFolder)) ? 'both' : 'ours';
}

/**
 * Brings a data folder that nobody else works on from format 1 to the present one, or goes on with that
 * where it was cut off. The old files count until all new ones are on disk, then the new ones do; only then
 * they change places, one after the other.
 */
export async function bringOver(data: string, now: number): Promise<void> {
  const next = join(data, nextFolder);
  const format = await formatOf(data);
  if (format === 'ours' || format === 'none') return;
  try {
    if (format === 'older') {
      await rm(next, { recursive: true, force: true });
      await writeAnew(data, next, now);
      await syncFolder(systemFiles, data);
      await writeDataFormat(data);
    }
    for (const name of await listFolder(systemFiles, next)) {
      await rm(join(data, name), { recursive: true, force: true });
      await systemFiles.rename(join(next, name), join(data, name));
      await syncFolder(systemFiles, data);
      await syncFolder(systemFiles, next);
    }
    await rm(next, { recursive: true, force: true });
    await syncFolder(systemFiles, data);
  } catch (cause) {
    throw storageError(cause, next);
  }
}

async function writeAnew(data: string, next: string, now: number): Promise<void> {
  // One without records takes the place of what lies there, too.
  for (const name of dataFolders) await ensureFolder(systemFiles, join(next, name));
  const readers = readFormat1(data, now);
  for (const { kind, write } of await folderRecords(next).writers()) {
    for (const { read } of readers.filter((reader) => reader.kind === kind)) await write(read());
  }
  await syncFolder(systemFiles, next);
}
